// The executor and the fan-out worker on a table, without sockets: fills stores, and makes rows as the server
// makes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fanout/worker.h"
#include "threads/executor.h"

namespace parley::bench {

class LocalNode final : private threads::ChangeSink, private threads::AnswerSink, private fanout::NoticeSink {
 public:
  // Tenant `demo`. A command that is refused ends the bench with a sentence.
  explicit LocalNode(storage::Table& table);

  // Steps at once. The first two members are buyer and seller.
  protocol::ThreadId Create(const std::vector<std::string>& members);
  // Queued; Step() commits what is queued as one group.
  void Send(const protocol::ThreadId& thread, const std::string& author, const std::string& client_id,
            std::string body);
  void Step();
  size_t queued() const { return executor_.queued(); }
  void CatchUp();  // projections, up to the last commit

  const std::string& store_secret() const { return table_.identity().secret; }

 private:
  void OnCommitted(std::vector<threads::CommittedChangePtr> changes) override;
  void OnAnswers(std::vector<threads::Finished> finished) override;
  void OnEntries(std::vector<fanout::EntryNotice>, storage::Position) override {}

  storage::Table& table_;
  const protocol::SystemClock clock_;
  const std::unique_ptr<protocol::IdSource> ids_;
  protocol::Metrics metrics_;
  fanout::Worker worker_;
  threads::Executor executor_;
  std::optional<protocol::ThreadId> created_;
};

// A store on disk as a server would leave it.
struct DatasetPlan {
  size_t threads = 1000, members = 10, messages = 300'000, body_bytes = 200;
  // A user who is a member of every thread; empty: none.
  std::string everywhere;
};
// Users are `u{thread}_{member}`; the threads, in order. Tells its progress on stderr.
std::vector<protocol::ThreadId> FillStore(const std::string& dir, const DatasetPlan& plan);

}  // namespace parley::bench
