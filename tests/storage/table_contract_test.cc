// The contract of storage/table.h, for every backend.
#include <gtest/gtest.h>

#include <thread>

#include "tests/storage/backends.h"
#include "tests/storage/table_text.h"

namespace parley::storage {
namespace {

class TableContract : public testing::TestWithParam<std::string> {
 protected:
  Table& table() { return store_->table(); }

  const PartitionKey thread_ = ThreadPartition("acme", 1);
  const PartitionKey other_thread_ = ThreadPartition("acme", 2);
  const PartitionKey inbox_ = InboxPartition("acme", "ann");
  std::unique_ptr<StoreUnderTest> store_ = MakeStore(GetParam());
};

TEST_P(TableContract, a_missing_row_is_a_value_and_not_an_error) {
  std::optional<Row> row = Row{};
  EXPECT_TRUE(table().Get(thread_, Sort("a"), &row).ok());
  EXPECT_FALSE(row.has_value());
  EXPECT_EQ(ScanText(table(), thread_), "");
}

TEST_P(TableContract, committed_rows_read_back_with_version_and_any_bytes) {
  const std::string bytes("\0\xff\x01 any", 8);
  EXPECT_EQ(CommitText(table(), {thread_, {}, {Set("a", bytes, 7), Set("empty", "")}, ""}), "ok");
  std::optional<Row> row;
  ASSERT_TRUE(table().Get(thread_, Sort("a"), &row).ok());
  ASSERT_TRUE(row.has_value());
  EXPECT_EQ(row->version, 7u);
  EXPECT_EQ(row->payload, bytes);
  EXPECT_EQ(GetText(table(), thread_, "empty"), "");
}

TEST_P(TableContract, versions_of_any_size_come_back) {
  for (const uint64_t version :
       {uint64_t{0}, uint64_t{127}, uint64_t{128}, uint64_t{1} << 35, ~uint64_t{0}}) {
    EXPECT_EQ(CommitText(table(), {thread_, {}, {Set("a", "x", version)}, ""}), "ok");
    EXPECT_EQ(CommitText(table(), {thread_, {VersionIs("a", version)}, {}, ""}), "ok");
  }
}

TEST_P(TableContract, partitions_tenants_and_tables_are_apart) {
  const PartitionKey foreign = ThreadPartition("acme2", 1);
  CommitText(table(), {{thread_, {}, {Set("a", "1")}, ""},
                       {other_thread_, {}, {Set("a", "2")}, ""},
                       {foreign, {}, {Set("a", "3")}, ""},
                       {inbox_, {}, {Set("a", "4")}, ""}});
  EXPECT_EQ(ScanText(table(), thread_), "a=1");
  EXPECT_EQ(ScanText(table(), other_thread_), "a=2");
  EXPECT_EQ(ScanText(table(), foreign), "a=3");
  EXPECT_EQ(ScanText(table(), inbox_), "a=4");
}

TEST_P(TableContract, a_user_whose_name_begins_with_anothers_has_a_partition_of_their_own) {
  const PartitionKey longer = InboxPartition("acme", "anna");
  CommitText(table(), {{inbox_, {}, {Set("a", "ann")}, ""}, {longer, {}, {Set("a", "anna")}, ""}});
  EXPECT_EQ(ScanText(table(), inbox_), "a=ann");
  EXPECT_EQ(ScanText(table(), inbox_, SortRange::All(), Direction::kReverse), "a=ann");
  EXPECT_EQ(ScanText(table(), longer), "a=anna");
}

TEST_P(TableContract, scans_are_half_open_both_ways_and_bounded) {
  CommitText(table(), {thread_, {}, {Set("a", "1"), Set("b", "2"), Set("c", "3"), Set("d", "4")}, ""});
  CommitText(table(), {other_thread_, {}, {Set("a", "x")}, ""});
  const SortRange middle{Sort("b"), Sort("d")};
  EXPECT_EQ(ScanText(table(), thread_, middle), "b=2 c=3");
  EXPECT_EQ(ScanText(table(), thread_, middle, Direction::kReverse), "c=3 b=2");
  EXPECT_EQ(ScanText(table(), thread_, {Sort("b"), {}}), "b=2 c=3 d=4");
  EXPECT_EQ(ScanText(table(), thread_, {{}, Sort("b")}, Direction::kReverse), "a=1");
  EXPECT_EQ(ScanText(table(), thread_, SortRange::All(), Direction::kForward, 2), "a=1 b=2");
  EXPECT_EQ(ScanText(table(), thread_, SortRange::All(), Direction::kReverse, 3), "d=4 c=3 b=2");
  EXPECT_EQ(ScanText(table(), thread_, SortRange::All(), Direction::kForward, 0), "");
}

TEST_P(TableContract, a_range_that_ends_before_it_begins_is_empty) {
  CommitText(table(), {thread_, {}, {Set("a", "1"), Set("b", "2"), Set("c", "3")}, ""});
  for (const Direction direction : {Direction::kForward, Direction::kReverse}) {
    EXPECT_EQ(ScanText(table(), thread_, {Sort("c"), Sort("a")}, direction), "");
    EXPECT_EQ(ScanText(table(), thread_, {Sort("b"), Sort("b")}, direction), "");
  }
}

TEST_P(TableContract, a_prefix_of_the_highest_bytes_is_scanned_to_its_end) {
  CommitText(table(), {thread_, {}, {Set("\xff\xff", "1"), Set("\xff\xff\xff", "2"), Set("a", "0")}, ""});
  CommitText(table(), {other_thread_, {}, {Set("\xff\xff", "x")}, ""});
  EXPECT_EQ(ScanText(table(), thread_, SortRange::Prefix(Sort("\xff\xff"))), "\xff\xff=1 \xff\xff\xff=2");
  EXPECT_EQ(ScanText(table(), thread_, SortRange::Prefix(Sort("\xff\xff")), Direction::kReverse),
            "\xff\xff\xff=2 \xff\xff=1");
}

TEST_P(TableContract, a_visitor_may_stop_and_may_read_the_table) {
  CommitText(table(), {thread_, {}, {Set("a", "1"), Set("b", "2"), Set("c", "3")}, ""});
  std::string seen;
  const Status status =
      table().Scan(thread_, SortRange::All(), Direction::kForward, 10, [&](std::string_view sort, RowView) {
        seen += GetText(table(), thread_, sort);
        return sort != "b";
      });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(seen, "12");
}

TEST_P(TableContract, a_scan_does_not_see_what_its_visitor_writes) {
  CommitText(table(), {thread_, {}, {Set("a", "1"), Set("b", "1")}, ""});
  std::string seen;
  const Status status =
      table().Scan(thread_, SortRange::All(), Direction::kForward, 100, [&](std::string_view sort, RowView) {
        seen += sort;
        CommitText(table(), {thread_, {}, {Set(std::string(sort) + "x", "new"), Delete("b")}, ""});
        return true;
      });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(seen, "ab");
}

TEST_P(TableContract, long_scans_come_whole_both_ways) {
  CommitRequest request{thread_, {}, {}, ""};
  std::string forward, backward;
  for (int i = 100; i < 999; ++i) {
    const std::string sort = std::to_string(i);
    request.writes.push_back(Set(sort, ""));
    forward += (forward.empty() ? "" : " ") + sort + "=";
    backward = sort + "=" + (backward.empty() ? "" : " ") + backward;
  }
  ASSERT_EQ(CommitText(table(), request), "ok");
  EXPECT_EQ(ScanText(table(), thread_), forward);
  EXPECT_EQ(ScanText(table(), thread_, SortRange::All(), Direction::kReverse), backward);
}

TEST_P(TableContract, multi_get_answers_in_the_order_asked) {
  CommitText(table(), {{thread_, {}, {Set("a", "1"), Set("b", "2")}, ""}, {inbox_, {}, {Set("a", "3")}, ""}});
  const std::vector<RowKey> keys{{inbox_, Sort("a")},
                                 {thread_, Sort("b")},
                                 {thread_, Sort("gone")},
                                 {thread_, Sort("a")},
                                 {thread_, Sort("b")}};
  std::vector<std::optional<Row>> rows;
  ASSERT_TRUE(table().MultiGet(keys, &rows).ok());
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0]->payload, "3");
  EXPECT_EQ(rows[1]->payload, "2");
  EXPECT_FALSE(rows[2].has_value());
  EXPECT_EQ(rows[3]->payload, "1");
  EXPECT_EQ(rows[4]->payload, "2");
  ASSERT_TRUE(table().MultiGet({}, &rows).ok());
  EXPECT_TRUE(rows.empty());
}

TEST_P(TableContract, absent_present_and_version_conditions_hold_or_tell_what_is_in_the_way) {
  EXPECT_EQ(CommitText(table(), {thread_, {Present("a")}, {Set("b", "x")}, "no"}), "in the way: nothing");
  EXPECT_EQ(CommitText(table(), {thread_, {VersionIs("a", 1)}, {Set("b", "x")}, "no"}),
            "in the way: nothing");
  EXPECT_EQ(CommitText(table(), {thread_, {Absent("a")}, {Set("a", "first", 1)}, ""}), "ok");
  EXPECT_EQ(CommitText(table(), {thread_, {Absent("a")}, {Set("a", "second")}, "no"}),
            "in the way: v1 first");
  EXPECT_EQ(CommitText(table(), {thread_, {VersionIs("a", 1), Present("a")}, {Set("a", "third", 2)}, ""}),
            "ok");
  EXPECT_EQ(CommitText(table(), {thread_, {VersionIs("a", 1)}, {Set("a", "fourth", 3)}, "no"}),
            "in the way: v2 third");
  EXPECT_EQ(ScanText(table(), thread_), "a=third");
  EXPECT_EQ(LogText(table()), "");
}

TEST_P(TableContract, a_failed_condition_undoes_only_its_own_request) {
  EXPECT_EQ(CommitText(table(), {{thread_, {Absent("a")}, {Set("a", "1")}, "one"},
                                 {thread_, {Absent("a")}, {Set("a", "2"), Set("b", "2")}, "two"},
                                 {other_thread_, {Absent("a")}, {Set("a", "3")}, "three"}}),
            "ok@1, in the way: v1 1, ok@2");
  EXPECT_EQ(ScanText(table(), thread_), "a=1");
  EXPECT_EQ(ScanText(table(), other_thread_), "a=3");
  EXPECT_EQ(LogText(table()), "1:one 2:three");
}

TEST_P(TableContract, later_requests_of_a_group_see_writes_rewrites_and_deletes_of_earlier_ones) {
  EXPECT_EQ(CommitText(table(), {{thread_, {}, {Set("a", "1", 1), Set("gone", "x")}, "one"},
                                 {thread_, {VersionIs("a", 1)}, {Set("a", "2", 2), Delete("gone")}, "two"},
                                 {thread_, {VersionIs("a", 2), Absent("gone")}, {Set("a", "3", 3)}, "three"},
                                 {thread_, {VersionIs("a", 2)}, {Set("a", "4", 4)}, "four"},
                                 {thread_, {}, {Delete("a"), Set("b", "5")}, ""},
                                 {thread_, {Absent("a")}, {Set("a", "6")}, "six"}}),
            "ok@1, ok@2, ok@3, in the way: v3 3, ok, ok@4");
  EXPECT_EQ(ScanText(table(), thread_), "a=6 b=5");
  EXPECT_EQ(LogText(table()), "1:one 2:two 3:three 4:six");
}

TEST_P(TableContract, the_last_of_several_writes_to_a_row_wins) {
  EXPECT_EQ(
      CommitText(table(),
                 {thread_, {}, {Set("a", "1"), Delete("a"), Set("b", "1"), Set("a", "2"), Delete("b")}, ""}),
      "ok");
  EXPECT_EQ(ScanText(table(), thread_), "a=2");
}

TEST_P(TableContract, an_empty_group_does_nothing) {
  EXPECT_EQ(CommitText(table(), std::vector<CommitRequest>{}), "");
  EXPECT_EQ(table().LastPosition(), 0u);
}

TEST_P(TableContract, positions_are_dense_over_groups_and_reopening) {
  EXPECT_EQ(table().LastPosition(), 0u);
  CommitText(table(),
             {{thread_, {}, {}, "one"}, {thread_, {}, {Set("a", "unlogged")}, ""}, {thread_, {}, {}, "two"}});
  EXPECT_EQ(table().LastPosition(), 2u);
  store_->Reopen();
  EXPECT_EQ(table().LastPosition(), 2u);
  EXPECT_EQ(CommitText(table(), {thread_, {}, {}, "three"}), "ok@3");
  EXPECT_EQ(LogText(table()), "1:one 2:two 3:three");
}

TEST_P(TableContract, the_log_is_read_from_any_position_in_portions) {
  for (int i = 0; i < 3; ++i) CommitText(table(), std::vector<CommitRequest>(200, {thread_, {}, {}, "e"}));
  EXPECT_EQ(LogText(table(), 597), "598:e 599:e 600:e");
  EXPECT_EQ(LogText(table(), 0, 2), "1:e 2:e");
  EXPECT_EQ(LogText(table(), 600), "");
  EXPECT_EQ(LogText(table(), 9999), "");
  EXPECT_EQ(LogText(table(), 5, 0), "");
  Position last = 0;
  size_t count = 0;
  ASSERT_TRUE(table()
                  .ReadLog(0, SIZE_MAX,
                           [&](Position position, std::string_view) {
                             EXPECT_EQ(position, last + 1);
                             last = position;
                             return ++count < 550;
                           })
                  .ok());
  EXPECT_EQ(count, 550u);
}

TEST_P(TableContract, trimmed_entries_are_gone_and_positions_continue_even_after_the_last) {
  for (const char* entry : {"one", "two", "three"}) CommitText(table(), {thread_, {}, {}, entry});
  ASSERT_TRUE(table().TrimLog(2).ok());
  EXPECT_EQ(LogText(table()), "3:three");
  EXPECT_EQ(LogText(table(), 1), "3:three");
  ASSERT_TRUE(table().TrimLog(1).ok());
  EXPECT_EQ(LogText(table()), "3:three");
  ASSERT_TRUE(table().TrimLog(3).ok());
  EXPECT_EQ(LogText(table()), "");
  store_->Reopen();
  EXPECT_EQ(table().LastPosition(), 3u);
  EXPECT_EQ(LogText(table()), "");
  EXPECT_EQ(CommitText(table(), {thread_, {}, {}, "four"}), "ok@4");
  EXPECT_EQ(LogText(table()), "4:four");
}

TEST_P(TableContract, trimming_beyond_the_end_removes_only_existing_entries) {
  CommitText(table(), {thread_, {}, {}, "one"});
  ASSERT_TRUE(table().TrimLog(1000).ok());
  EXPECT_EQ(CommitText(table(), {thread_, {}, {}, "two"}), "ok@2");
  EXPECT_EQ(LogText(table()), "2:two");
}

TEST_P(TableContract, applies_write_many_partitions_and_move_their_own_cursor) {
  const PartitionKey bob = InboxPartition("acme", "bob");
  EXPECT_EQ(CursorOf(table(), "inbox"), 0u);
  ASSERT_TRUE(
      table()
          .Apply(std::vector<DerivedWrite>{{inbox_, Sort("a"), Row{1, "1"}}, {bob, Sort("a"), Row{1, "2"}}},
                 "inbox", 5)
          .ok());
  ASSERT_TRUE(table()
                  .Apply(std::vector<DerivedWrite>{{inbox_, Sort("a"), std::nullopt},
                                                   {inbox_, Sort("b"), Row{1, "3"}}},
                         "inbox", 6)
                  .ok());
  ASSERT_TRUE(table().Apply({}, "project", 2).ok());
  EXPECT_EQ(ScanText(table(), inbox_), "b=3");
  EXPECT_EQ(ScanText(table(), bob), "a=2");
  EXPECT_EQ(CursorOf(table(), "inbox"), 6u);
  EXPECT_EQ(CursorOf(table(), "project"), 2u);
  EXPECT_EQ(LogText(table()), "");
  store_->Reopen();
  EXPECT_EQ(ScanText(table(), inbox_), "b=3");
  EXPECT_EQ(CursorOf(table(), "inbox"), 6u);
}

TEST_P(TableContract, a_snapshot_stays_as_it_was_while_the_table_moves_on) {
  CommitText(table(), {thread_, {}, {Set("a", "1"), Set("b", "1"), Set("gone", "1")}, "one"});
  const Snapshot before = table().NewSnapshot();
  CommitText(table(), {thread_, {}, {Set("a", "2"), Set("c", "2"), Delete("gone")}, "two"});
  const Snapshot between = table().NewSnapshot();
  ASSERT_TRUE(table().Apply(std::vector<DerivedWrite>{{thread_, Sort("b"), Row{2, "3"}}}, "p", 1).ok());
  CommitText(table(), {thread_, {}, {Delete("a")}, "three"});
  EXPECT_EQ(ScanText(*before, thread_), "a=1 b=1 gone=1");
  EXPECT_EQ(ScanText(*between, thread_, SortRange::All(), Direction::kReverse), "c=2 b=1 a=2");
  EXPECT_EQ(GetText(*before, thread_, "c"), "-");
  EXPECT_EQ(GetText(*between, thread_, "a"), "2");
  EXPECT_EQ(ScanText(table(), thread_), "b=3 c=2");
  std::vector<std::optional<Row>> rows;
  ASSERT_TRUE(
      before->MultiGet(std::vector<RowKey>{{thread_, Sort("gone")}, {thread_, Sort("c")}}, &rows).ok());
  EXPECT_TRUE(rows[0].has_value());
  EXPECT_FALSE(rows[1].has_value());
}

TEST_P(TableContract, scan_all_visits_one_table_of_every_tenant_or_all_but_the_stores_own) {
  CommitText(table(), {{ThreadPartition("acme", 1), {}, {Set("a", "1")}, "log"},
                       {ThreadPartition("zeta", 1), {}, {Set("a", "2")}, "log"},
                       {InboxPartition("acme", "ann"), {}, {Set("a", "3")}, ""},
                       {InboxPartition("zeta", "ann"), {}, {Set("a", "4")}, ""}});
  ASSERT_TRUE(table().Apply({}, "p", 1).ok());
  const auto all = [&](std::optional<TableTag> tag) {
    std::string out;
    EXPECT_TRUE(table()
                    .ScanAll(tag,
                             [&](const PartitionKey& partition, const SortKey& sort, RowView row) {
                               EXPECT_EQ(sort.bytes(), "a");
                               out += std::string(partition.tenant()) + std::string(row.payload) + " ";
                               return true;
                             })
                    .ok());
    return out;
  };
  EXPECT_EQ(all(std::nullopt), "acme1 acme3 zeta2 zeta4 ");
  EXPECT_EQ(all(TableTag::kThreads), "acme1 zeta2 ");
  EXPECT_EQ(all(TableTag::kInboxIndex), "acme3 zeta4 ");
  EXPECT_EQ(all(TableTag::kStore), "");
  EXPECT_EQ(all(TableTag::kPlacement), "");
  size_t visits = 0;
  EXPECT_TRUE(
      table()
          .ScanAll(std::nullopt, [&](const PartitionKey&, const SortKey&, RowView) { return ++visits < 2; })
          .ok());
  EXPECT_EQ(visits, 2u);
}

// The scan skips everything in between: tenants whose names begin alike, and tables on both sides.
TEST_P(TableContract, scan_all_finds_every_row_of_a_table_among_others) {
  constexpr TableTag kTags[] = {TableTag::kThreads, TableTag::kUsers, TableTag::kItems, TableTag::kQuotas};
  std::map<TableTag, std::vector<std::string>> wanted;
  for (const char* tenant : {"a", "a-b", "aa", "ab", "b", "zz"}) {
    for (size_t i = 0; i < std::size(kTags); ++i) {
      if (tenant == std::string("ab") && i != 1) continue;
      const auto partition =
          kTags[i] == TableTag::kThreads
              ? ThreadPartition(tenant, 1)
              : PartitionKey::OfText(protocol::TenantId{tenant}, kTags[i], protocol::KeyText("of"));
      CommitText(table(), {{partition, {}, {Set("1", tenant), Set("2", tenant)}, ""}});
      wanted[kTags[i]].insert(wanted[kTags[i]].end(), 2, tenant);
    }
  }
  for (const TableTag tag : kTags) {
    std::vector<std::string> found;
    EXPECT_TRUE(table()
                    .ScanAll(tag,
                             [&](const PartitionKey& partition, const SortKey&, RowView row) {
                               EXPECT_EQ(partition.table(), tag);
                               found.emplace_back(row.payload);
                               return true;
                             })
                    .ok());
    std::sort(wanted[tag].begin(), wanted[tag].end());
    EXPECT_EQ(found, wanted[tag]);
  }
}

TEST_P(TableContract, the_identity_survives_reopening) {
  const StoreIdentity before = table().identity();
  EXPECT_TRUE(before.epoch.starts_with("ep_"));
  EXPECT_EQ(before.secret.size(), 32u);
  store_->Reopen();
  EXPECT_EQ(table().identity().epoch, before.epoch);
  EXPECT_EQ(table().identity().secret, before.secret);
}

TEST_P(TableContract, a_healthy_table_has_no_write_fault) {
  EXPECT_EQ(table().WriteFault(), "");
}

TEST_P(TableContract, commits_and_applies_from_many_threads_are_serialised) {
  constexpr int kThreads = 4, kRounds = 50;
  std::vector<std::thread> threads;
  std::atomic<int> wins{0};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        if (CommitText(table(), {thread_, {Absent(std::to_string(i))}, {Set(std::to_string(i), "x")}, "e"})
                .starts_with("ok")) {
          ++wins;
        }
        const std::string name = "p" + std::to_string(t);
        EXPECT_TRUE(table().Apply({}, name, static_cast<Position>(i + 1)).ok());
        const Snapshot snapshot = table().NewSnapshot();
        EXPECT_EQ(ScanText(*snapshot, thread_), ScanText(*snapshot, thread_));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wins, kRounds) << "each row was absent once";
  EXPECT_EQ(table().LastPosition(), static_cast<Position>(kRounds));
  for (int t = 0; t < kThreads; ++t)
    EXPECT_EQ(CursorOf(table(), "p" + std::to_string(t)), static_cast<Position>(kRounds));
}

INSTANTIATE_TEST_SUITE_P(Backends, TableContract, testing::ValuesIn(BackendNames()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace parley::storage
