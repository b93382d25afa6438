// Checks the audit chains. Entries are numbered from 1 without holes, each has the hash of its own text and
// names the hash before it, the head names the last one, lists contain each entry once and nothing else, and
// no id occurs twice. Each act and look of staff in a thread (ACT# and LOOK# rows) has its entry, and each
// entry its row.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "fanout/verify/thread_facts.h"
#include "storage/table.h"

namespace parley::fanout {

// Reads the log position up to which acts are in the chains. Call before taking AuditCheck's snapshot.
storage::Status ReadAuditPlaceOf(const storage::Table& table, storage::Position* out);

class AuditCheck {
 public:
  AuditCheck(const storage::Reader& snapshot, std::function<void(const std::string&)> differs)
      : snapshot_(snapshot), differs_(std::move(differs)) {}

  // Finds the acts after `place` in the log, which are not in a chain yet, and adds their threads to
  // `threads`.
  storage::Status FindPending(const storage::Table& table, storage::Position place,
                              std::set<std::pair<protocol::TenantId, protocol::ThreadId>>* threads);
  // Expects an entry for each act and look of a thread.
  void ExpectActsOf(const ThreadFacts& facts);
  // Checks all chains. Call it last: it reports expected entries that no chain has.
  storage::Status CheckChains(size_t* entries);

 private:
  struct Expected {
    std::string thread;
    std::string said;  // SHA-256 of the expected entry
  };
  using Name = std::pair<std::string, std::string>;  // tenant, auditId
  void Meet(const std::string& tenant, const protocol::Value& entry, const std::string& id);

  const storage::Reader& snapshot_;
  const std::function<void(const std::string&)> differs_;
  std::map<Name, Expected> expected_;
  std::set<Name> pending_;
};

// The position of an incremental walk along one chain.
struct AuditWalk {
  uint64_t entries = 0;
  std::string hash;  // the last entry's; empty at the start
};
// Checks the next entries of a tenant's chain, at most `limit`. Returns true and resets `walk` at the end.
bool WalkAudit(const storage::Reader& reader, const protocol::TenantId& tenant, size_t limit, AuditWalk* walk,
               const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
