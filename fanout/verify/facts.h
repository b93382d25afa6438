// Interface of a feature's part of verify, which checks the feature's own rows.
//
// Thread contract: one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fanout/verify/thread_facts.h"
#include "protocol/base/time.h"
#include "storage/table.h"

namespace parley::fanout {

struct VerifyReport;

using ThreadName = std::pair<protocol::TenantId, protocol::ThreadId>;

struct VerifyInput {
  const storage::Table& table;
  const storage::Reader& snapshot;
  const std::function<void(const std::string&)>& differs;  // reports one difference, in a sentence
};

// The functions are called in this order. The VerifyInput outlives the object.
class Facts {
 public:
  virtual ~Facts() = default;
  // Reads the log position that the feature has reached. VerifyStore takes its snapshot afterwards, so the
  // snapshot includes everything up to this position.
  virtual storage::Status ReadPlace(const storage::Table&) { return {}; }
  // Adds the threads with log entries that the feature has not processed yet.
  virtual storage::Status FindPending(const VerifyInput&, std::set<ThreadName>*) { return {}; }
  virtual void OnThread(const VerifyInput&, const ThreadFacts&) {}
  virtual storage::Status CheckRows(const VerifyInput&, VerifyReport*) { return {}; }
};
using MakeFacts = std::unique_ptr<Facts> (*)();

}  // namespace parley::fanout
