// Commands that continue in another thread, among the commands of that thread's own executor.
#include "protocol/message_items.h"
#include "threads/engine/executors.h"

#include <set>

#include "tests/threads/executor_scene.h"

namespace parley::threads {
namespace {

class OnwardCommands : public testing::Test, private AnswerSink, private ChangeSink {
 protected:
  size_t Submit(std::string_view line) {
    const size_t number = answers_.size();
    answers_.emplace_back();
    Job job = JobFrom(CallFrom(line, names_));
    job.done = [this, number](Answer answer) { answers_[number] = std::move(answer); };
    executors.Submit(std::move(job));
    return number;
  }
  std::string Text(size_t number, std::string_view path) {
    if (!answers_[number]) return "waiting";
    return answers_[number]->ok() ? Pick(**answers_[number], path, names_)
                                  : ErrorText(answers_[number]->error());
  }
  void Settle() {
    while (executors.Step()) {
    }
  }
  std::unique_ptr<storage::MemoryTable> table_ = storage::NewMemoryTable();
  WatchedTable watched{*table_};
  std::string received;

 private:
  void OnAnswers(std::vector<Finished> finished) override {
    for (Finished& one : finished) one.done(std::move(one.answer));
  }
  void OnCommitted(std::vector<CommittedChangePtr> changes) override {
    for (const CommittedChangePtr& change : changes) {
      for (const SharedChange& event : change->events) {
        if (event.kind != protocol::EventKind::kMessageCreated) continue;
        received += ItemFrom<protocol::Message>(event.item).body + " ";
      }
    }
  }
  FakeClock clock_;
  std::unique_ptr<protocol::IdSource> ids_ = protocol::NewSeededIdSource(5);
  protocol::Metrics metrics_;
  Names names_;
  std::vector<std::optional<Answer>> answers_;

 protected:
  storage::Committer committer{watched};
  Executors executors{2, watched, committer, clock_, *ids_, {}, *this, *this, metrics_};
};

TEST_F(OnwardCommands, two_users_who_create_their_direct_thread_at_once_get_one_by_any_executor) {
  std::set<size_t> shards;
  for (int i = 0; i < 16; ++i) {
    const std::string n = std::to_string(i);
    const size_t one = Submit("ann" + n + " thread.create kind=direct with=bob" + n + " firstMessage=a" + n);
    const size_t two = Submit("bob" + n + " thread.create kind=direct with=ann" + n + " firstMessage=b" + n);
    Settle();
    const std::string thread = Text(one, "thread.threadId");
    EXPECT_EQ(Text(two, "thread.threadId"), thread);
    EXPECT_EQ(Text(two, "thread.lastMsgNo"), "2");
    shards.insert(ShardOf(*ThreadId::FromText(thread), 2));
    const size_t more = Submit("ann" + n + " message.send threadId=" + thread + " body=c" + n);
    Settle();
    EXPECT_EQ(Text(more, "msgNo"), "3");
  }
  EXPECT_EQ(shards.size(), 2u) << "both executors had some";
  EXPECT_EQ(received.substr(0, 18), "a0 b0 c0 a1 b1 c1 ");
  EXPECT_EQ(executors.fault(), "");
}

TEST_F(OnwardCommands, the_second_part_waits_for_the_sync_of_the_reservation) {
  Submit("ann thread.create kind=direct with=bob");
  Settle();
  const size_t second = Submit("bob thread.create kind=direct with=ann clientId=b firstMessage=hi");
  table_->InjectFault(storage::MemoryFault::kCommitFails);
  Settle();
  EXPECT_EQ(Text(second, ""), "UNAVAILABLE");
  EXPECT_EQ(received, "");
}

}  // namespace
}  // namespace parley::threads
