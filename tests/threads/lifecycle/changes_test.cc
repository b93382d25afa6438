// Catch-up by state over more LOG# rows than one round reads (256). The expected result is computed from the
// decided events. All of it also applies to threads of earlier versions, in which most rows are about items
// that changed again later.
#include "threads/lifecycle/changes.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/threads/executor_scene.h"
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

class Changes : public testing::TestWithParam<bool> {
 protected:
  Changes() {
    scene_.keep_stale = GetParam();
    Do("buyer thread.create");
  }

  void Do(const std::string& line) {
    scene_.Do(line);
    ASSERT_TRUE(scene_.accepted) << line;
    for (const SharedChange& event : scene_.decision.events) {
      last_seq_ = event.seq;
      latest_[ItemOf(event)] = {event.seq, EventText(event.kind, event.seq, event.item, scene_.names)};
    }
  }
  void Send(int64_t count) {
    while (count-- > 0) Do("buyer message.send body=b" + std::to_string(++sent_));
  }
  void Edit(int message) {
    Do("buyer message.edit messageId=M" + std::to_string(message) + " body=e" + std::to_string(last_seq_));
  }

  // Sets or removes a mark on the message: the number of edits of a message is bounded.
  void Mark(int message, bool on) {
    Do("seller message.react messageId=M" + std::to_string(message) +
       " emoji=👍 on=" + (on ? "true" : "false"));
  }

  // Reads page after page from `after` on; returns each change as a line.
  std::string Walk(int64_t after, size_t limit) {
    std::string out;
    for (;;) {
      const auto page = ReadChanges(scene_.Rows(TenantId{"demo"}), CallerFrom("buyer"),
                                    scene_.ThreadNamed("T"), after, limit);
      if (!page.ok()) return out + ErrorText(page.error());
      EXPECT_LE(page->changes.size(), limit);
      for (const Change& change : page->changes)
        out += EventText(change.kind, change.seq, change.wire, scene_.names) + "\n";
      EXPECT_EQ(page->more, page->through < last_seq_) << "after " << after << " in pages of " << limit;
      if (!page->more) return out;
      if (page->changes.size() < limit || page->through < page->changes.back().seq)
        return out + "a page that is not full, or does not go on behind its last change";
      after = page->through;
    }
  }
  // The changes that a client at `after` lacks, in the same form.
  std::string Lacking(int64_t after) const {
    std::map<int64_t, std::string> by_seq;
    for (const auto& [item, state] : latest_) by_seq.insert(state);
    std::string out;
    for (auto at = by_seq.upper_bound(after); at != by_seq.end(); ++at) out += at->second + "\n";
    return out;
  }
  void ExpectExact() {
    for (const int64_t back : {int64_t{0}, int64_t{1}, int64_t{255}, int64_t{256}, int64_t{257}, last_seq_}) {
      const int64_t after = std::max<int64_t>(last_seq_ - back, 0);
      for (const size_t limit : {1, 2, 100, 200, 255, 256, 257, 100'000})
        ASSERT_EQ(Walk(after, limit), Lacking(after)) << "after " << after << " in pages of " << limit;
    }
  }

  Scene scene_;
  int64_t last_seq_ = 0;
  int sent_ = 0;

 private:
  static std::string ItemOf(const SharedChange& event) {
    if (event.participant) return "participant " + event.participant->value;
    if (protocol::Describe(event.kind).item == protocol::ChangeKind::kThread) return "thread";
    return ItemFrom<protocol::Message>(event.item).message_id.ToText();
  }
  // Item → seq of its last change, and the event's text.
  std::map<std::string, std::pair<int64_t, std::string>> latest_;
};

INSTANTIATE_TEST_SUITE_P(, Changes, testing::Bool(),
                         [](const auto& old) { return old.param ? "as_earlier_versions_left_it" : "lean"; });

TEST_P(Changes, of_items_that_changed_once_come_in_order_for_any_page_size) {
  for (const int rows : {255, 256, 257, 512, 513}) {
    Send(rows - last_seq_);
    ASSERT_EQ(last_seq_, rows);
    ExpectExact();
  }
}

TEST_P(Changes, of_an_item_that_changed_over_several_rounds_come_once_at_the_last) {
  Send(2);
  for (int i = 0; i < 600; ++i) Mark(1, i % 2 == 0);
  EXPECT_EQ(Walk(3, 1), "5 message.created M2 buyer 'b2'\n605 message.updated M1 buyer 'b1'\n");
  ExpectExact();
}

TEST_P(Changes, of_all_kinds_changed_again_in_a_later_round_come_in_the_latest_state) {
  Send(250);
  for (int message = 1; message <= 250; message += 3) Edit(message);
  Do("buyer participant.add userId=carol");
  Do("buyer thread.update version=1 subject=S");
  Send(30);
  for (int message = 2; message <= 280; message += 5) Edit(message);
  Do("buyer message.delete messageId=M250");
  Do("buyer participant.remove userId=carol");
  ASSERT_GT(last_seq_, 256 + 128);
  ExpectExact();
}

TEST_P(Changes, keep_the_creation_seq_of_an_item_over_all_its_changes) {
  Send(1);
  for (int i = 0; i < 300; ++i) Mark(1, i % 2 == 0);
  const auto page =
      ReadChanges(scene_.Rows(TenantId{"demo"}), CallerFrom("buyer"), scene_.ThreadNamed("T"), 3, 10);
  ASSERT_TRUE(page.ok() && page->changes.size() == 1);
  const Change& change = page->changes.front();
  EXPECT_EQ(change.born_seq, 4);
  EXPECT_EQ(change.seq, 304);
  EXPECT_EQ(CatchUpKind(change, 3), protocol::EventKind::kMessageCreated);
  EXPECT_EQ(CatchUpKind(change, 4), protocol::EventKind::kMessageUpdated);
}

// Regression: after 200 000 marks of one message a page took 431 ms of an I/O loop.
TEST(LeanLog, a_message_marked_ten_thousand_times_costs_a_page_no_more_than_one_marked_once) {
  ExecutorScene scene;
  scene.Do("buyer thread.create; buyer message.send body=a; buyer message.send body=b");
  const auto reads = [&] {
    scene.table->TakeRowsRead();
    const auto page = ReadChanges(scene.Rows(), CallerFrom("buyer"), scene.ThreadNamed("T"), 3, 200);
    EXPECT_TRUE(page.ok());
    EXPECT_EQ(page->changes.size(), 2u);
    return scene.table->TakeRowsRead();
  };
  const size_t before = reads();
  for (int i = 0; i < 5000; ++i) {
    scene.Submit("seller message.react messageId=M1 emoji=👍 on=true");
    scene.Submit("seller message.react messageId=M1 emoji=👍 on=false");
    if (i % 100 == 0) scene.Step(), scene.ForgetAnswers(), scene.changes.clear();
  }
  scene.Step();
  EXPECT_EQ(scene.Rows().Thread(scene.ThreadNamed("T")).value()->item.last_seq, 10'005);
  EXPECT_EQ(reads(), before);
}

TEST(LeanLog, each_item_of_an_old_thread_is_read_once_however_often_it_changed) {
  Scene scene;
  scene.keep_stale = true;
  scene.Given("buyer thread.create; buyer message.send body=a; buyer message.send body=b");
  for (int i = 0; i < 3000; ++i)
    scene.Given("seller message.react messageId=M1 emoji=👍 on=" + std::string(i % 2 ? "false" : "true"));
  class Counting final : public storage::Reader {
   public:
    explicit Counting(const storage::Reader& under) : under_(under) {}
    storage::Status Get(const storage::PartitionKey& p, const storage::SortKey& s,
                        std::optional<storage::Row>* out) const override {
      ++items;
      return under_.Get(p, s, out);
    }
    storage::Status MultiGet(std::span<const storage::RowKey> keys,
                             std::vector<std::optional<storage::Row>>* out) const override {
      items += keys.size();
      return under_.MultiGet(keys, out);
    }
    storage::Status Scan(const storage::PartitionKey& p, const storage::SortRange& r, storage::Direction d,
                         size_t limit, const storage::RowVisitor& visit) const override {
      return under_.Scan(p, r, d, limit, visit);
    }
    storage::Status ScanAll(std::optional<storage::TableTag> t,
                            const storage::FullVisitor& v) const override {
      return under_.ScanAll(t, v);
    }
    mutable size_t items = 0;

   private:
    const storage::Reader& under_;
  };
  const RowReader rows = scene.Rows(TenantId{"demo"});
  const Counting counting(rows.raw());
  const auto page =
      ReadChanges(RowReader(counting, TenantId{"demo"}), CallerFrom("buyer"), scene.ThreadNamed("T"), 3, 200);
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->changes.size(), 2u);
  EXPECT_LE(counting.items, 4u);
}

TEST(LeanLog, a_client_ten_thousand_changes_behind_or_ahead_of_the_thread_is_reset) {
  ThreadRow head;
  EXPECT_FALSE(IsBeyondLog(head, 0));
  EXPECT_TRUE(IsBeyondLog(head, 1));
  head.item.last_seq = 10'005;
  EXPECT_FALSE(IsBeyondLog(head, 5));
  EXPECT_TRUE(IsBeyondLog(head, 4));
}

}  // namespace
}  // namespace parley::threads
