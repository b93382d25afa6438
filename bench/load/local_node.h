// The executor and the fan-out worker on a table, without sockets: fills stores, and makes rows as the server
// does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fanout/worker.h"
#include "threads/engine/executor.h"
#include "threads/run/write_op.h"

namespace parley::bench {

// A clock that the bench advances: days pass in seconds.
class TurnedClock final : public protocol::Clock {
 public:
  protocol::Time Now() const override { return now_; }
  int64_t MonotonicMs() const override { return now_.ms; }
  void Advance(int64_t ms) { now_.ms += ms; }

 private:
  protocol::Time now_ = protocol::SystemClock().Now();
};

class LocalNode final : private threads::ChangeSink, private threads::AnswerSink, private fanout::NoticeSink {
 public:
  // Tenant `demo`. A rejected command ends the bench with a message.
  explicit LocalNode(storage::Table& table);
  LocalNode(storage::Table& table, const protocol::Clock& clock);

  // Steps at once. The first two members are buyer and seller.
  protocol::ThreadId Create(const std::vector<std::string>& members);
  // Queued like everything else: the thread exists after Step().
  std::shared_ptr<const protocol::ThreadId> Submit(const std::vector<std::string>& members);
  // Queued; Step() commits the queue as one group.
  void Send(const protocol::ThreadId& thread, const std::string& author, const std::string& client_id,
            std::string body);
  // Queues any command of a user.
  template <class Command>
  void Ask(const std::string& user, typename Command::Op::Args args,
           std::function<void(threads::Answer)> done = nullptr);
  // Runs everything that is due by now, as the server's sweeper does.
  void DoWhatIsDue();
  storage::Table& table() { return table_; }

  void Step();
  size_t queued() const { return executor_.queued(); }
  void CatchUp();  // projections, up to the last commit
  void Finish();   // like a stopping server: catches up, and marks the store

  const std::string& store_secret() const { return table_.identity().secret; }

 private:
  void OnCommitted(std::vector<threads::CommittedChangePtr>) override {}
  void OnAnswers(std::vector<threads::Finished> finished) override;
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}

  storage::Table& table_;
  const protocol::SystemClock system_clock_;
  const protocol::Clock& clock_;
  const std::unique_ptr<protocol::IdSource> ids_;
  protocol::Metrics metrics_;
  fanout::Worker worker_;
  threads::Executor executor_;
};

template <class Command>
void LocalNode::Ask(const std::string& user, typename Command::Op::Args args,
                    std::function<void(threads::Answer)> done) {
  threads::Caller caller;
  caller.tenant.value = "demo";
  caller.user = protocol::UserId{user.c_str()};
  threads::Job job;
  job.tenant = caller.tenant;
  if constexpr (requires { args.thread_id; }) job.thread = args.thread_id;
  job.decide = [caller, args = std::move(args)](threads::Transaction& tx) {
    return threads::Run<Command>(tx, caller, args);
  };
  job.done = std::move(done);
  executor_.Submit(std::move(job));
}

}  // namespace parley::bench
