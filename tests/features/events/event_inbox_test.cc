// Tests leases of events in the inbox.
#include "features/events/event_inbox.h"

#include <gtest/gtest.h>

#include "tests/features/events/event_scene.h"
#include "tests/storage/memory_sealer.h"

namespace parley::features {
namespace {

class InboxTest : public testing::Test {
 protected:
  Texts PostMany(int count) {
    Texts ids;
    for (int n = 1; n <= count; ++n) ids.push_back(scene_.PostNumber(n));
    return ids;
  }
  EventScene scene_;
};

TEST_F(InboxTest, a_leased_event_is_hidden_from_all_reads_until_the_lease_ends) {
  PostMany(4);
  EXPECT_EQ(scene_.Numbers(scene_.Lease(10, 2)), scene_.From(1, 2));
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), scene_.From(3, 4));
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kUndelivered, "t"})), scene_.From(3, 4));
  EXPECT_EQ(scene_.Numbers(scene_.List({})), (std::vector<int>{4, 3, 2, 1}));
  EXPECT_EQ(scene_.Numbers(scene_.Lease(20, 1)), scene_.From(3, 3));
  scene_.items.clock.Advance(9'999);
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), scene_.From(4, 4));
  scene_.items.clock.Advance(1);
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(scene_.Numbers(scene_.Inbox({2, {}})), scene_.From(1, 2));
  EXPECT_EQ(scene_.Numbers(scene_.Inbox({2, scene_.Inbox({1, {}})->next})), (std::vector<int>{2, 4}));
  EXPECT_EQ(scene_.Numbers(scene_.Lease(10, 3)), (std::vector<int>{1, 2, 4}));
  EXPECT_EQ(scene_.Numbers(scene_.Lease(10)), std::vector<int>{});
  scene_.items.clock.Advance(10'000);
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), scene_.From(1, 4));
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(InboxTest, an_acknowledged_or_deleted_event_does_not_return) {
  const Texts ids = PostMany(3);
  EXPECT_EQ(scene_.Numbers(scene_.Lease(10)), scene_.From(1, 3));
  EXPECT_EQ(scene_.Ack(ids[0]), "ok");
  EXPECT_EQ(scene_.Delete(ids[1]), "ok");
  scene_.items.clock.Advance(10'000);
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), scene_.From(3, 3));
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kDelivered})), scene_.From(1, 1));
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(InboxTest, two_concurrent_readers_lease_different_events) {
  PostMany(4);
  const auto lease = [](accounts::RecordTransaction& tx) { return LeaseInbox(tx, {2, {}}, 60); };
  const auto [first, second] = scene_.DecideBoth<EventPage>(lease, lease);
  EXPECT_EQ(scene_.Numbers(first), scene_.From(1, 2));
  EXPECT_EQ(scene_.Numbers(second), scene_.From(3, 4));
}

TEST_F(InboxTest, a_lease_lasts_from_a_second_to_an_hour) {
  PostMany(1);
  for (const int64_t seconds : {int64_t{0}, int64_t{-1}, int64_t{3601}})
    EXPECT_EQ(accounts::CodeOf(scene_.Lease(seconds)), "BAD_REQUEST");
  EXPECT_EQ(scene_.Numbers(scene_.Lease(3600)), scene_.From(1, 1));
  scene_.items.clock.Advance(3'600'000);
  EXPECT_EQ(scene_.Numbers(scene_.Lease(1)), scene_.From(1, 1));
}

// A consumer leased everything and died: more leases end at once than one read can merge.
TEST_F(InboxTest, many_leases_that_end_together_return_in_their_order) {
  PostMany(250);
  for (int n = 0; n < 5; ++n) EXPECT_EQ(scene_.Lease(10, 50)->items.size(), 50u);
  scene_.PostNumber(251);
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), scene_.From(251, 251));
  scene_.items.clock.Advance(10'000);
  std::vector<int> seen;
  InboxAsk ask{100, {}};
  do {
    const auto page = scene_.Inbox(ask);
    for (const int n : scene_.Numbers(page)) seen.push_back(n);
    ask.after = page->next;
  } while (ask.after);
  EXPECT_EQ(seen, scene_.From(1, 251));
  EXPECT_EQ(scene_.returns, 2);
  EXPECT_EQ(scene_.Numbers(scene_.Lease(10, 100)), scene_.From(1, 100));
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(InboxTest, a_pages_cursor_is_the_place_of_its_last_event) {
  PostMany(3);
  EXPECT_TRUE(scene_.Inbox({2, {}})->next);
  EXPECT_FALSE(scene_.Inbox({3, {}})->next);
}

// Counts the rows that a read visits.
class CountingReader final : public storage::Reader {
 public:
  explicit CountingReader(const storage::Reader& under) : under_(under) {}
  storage::Status Get(const storage::PartitionKey& partition, const storage::SortKey& sort,
                      std::optional<storage::Row>* out) const override {
    ++rows;
    return under_.Get(partition, sort, out);
  }
  storage::Status MultiGet(std::span<const storage::RowKey> keys,
                           std::vector<std::optional<storage::Row>>* out) const override {
    rows += keys.size();
    return under_.MultiGet(keys, out);
  }
  storage::Status Scan(const storage::PartitionKey& partition, const storage::SortRange& range,
                       storage::Direction direction, size_t limit,
                       const storage::RowVisitor& visit) const override {
    return under_.Scan(partition, range, direction, limit, [&](std::string_view sort, storage::RowView row) {
      ++rows;
      return visit(sort, row);
    });
  }
  storage::Status ScanAll(std::optional<storage::TableTag> table,
                          const storage::FullVisitor& visit) const override {
    return under_.ScanAll(table, visit);
  }
  mutable size_t rows = 0;

 private:
  const storage::Reader& under_;
};

TEST_F(InboxTest, hidden_events_are_not_read_however_many_there_are) {
  constexpr int kHidden = 3000;
  for (int n = 0; n < kHidden; ++n) scene_.Post("{}");
  for (int n = 0; n < kHidden / 100; ++n) EXPECT_EQ(scene_.Lease(3600, 100)->items.size(), 100u);
  scene_.PostNumber(1);
  const CountingReader counting(scene_.items.table());
  const storage::Sealer sealer = storage::SealerInMemory("scene");
  const accounts::RecordReads reads(counting, scene_.tenant, scene_.items.clock.Now(), sealer);
  EXPECT_EQ(scene_.Numbers(ReadInbox(reads, {})), scene_.From(1, 1));
  EXPECT_LT(counting.rows, 20u);
  EXPECT_EQ(scene_.Numbers(scene_.Lease(10)), scene_.From(1, 1));
}

}  // namespace
}  // namespace parley::features
