// The part of verify that a feature adds: a check of the feature's own rows.
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

// Calls come in this order. `input` outlives the object.
class Facts {
 public:
  virtual ~Facts() = default;
  // Reads how far the feature had followed the change log. The snapshot is taken afterwards, so that a
  // running server is ahead of this place, never behind it.
  virtual storage::Status ReadPlace(const storage::Table&) { return {}; }
  // Adds threads with log entries that the feature has yet to process.
  virtual storage::Status FindPending(const VerifyInput&, std::set<ThreadName>*) { return {}; }
  virtual void OnThread(const VerifyInput&, const ThreadFacts&) {}
  virtual storage::Status CheckRows(const VerifyInput&, VerifyReport*) { return {}; }
};
using MakeFacts = std::unique_ptr<Facts> (*)();

}  // namespace parley::fanout
