// The proof of the audit chains: entries are numbered from 1 without holes, each names the hash before it and
// has the hash that its text gives, the head tells the last, the rows of lists name each entry where it
// belongs and nothing else, and no id occurs twice. What staff did in threads (ACT# and LOOK# rows) and the
// entries that tell of it are the same: none without the other.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "fanout/verify/thread_facts.h"
#include "storage/table.h"

namespace parley::fanout {

// How far acts in threads had been chained. Read before the snapshot that AuditCheck is given.
storage::Status ReadAuditPlaceOf(const storage::Table& table, storage::Position* out);

class AuditCheck {
 public:
  AuditCheck(const storage::Reader& snapshot, std::function<void(const std::string&)> differs)
      : snapshot_(snapshot), differs_(std::move(differs)) {}

  // The acts that are yet to be chained: what the log tells beyond `place`. Their threads are added.
  storage::Status FindPending(const storage::Table& table, storage::Position place,
                              std::set<std::pair<protocol::TenantId, protocol::ThreadId>>* threads);
  // The acts and looks of one thread.
  void ExpectActsOf(const ThreadFacts& facts);
  // All chains; after all threads.
  storage::Status CheckChains(size_t* entries);

 private:
  struct Expected {
    std::string thread;
    std::string said;  // SHA-256 of what the entry must say
  };
  using Name = std::pair<std::string, std::string>;  // tenant, auditId
  void Meet(const std::string& tenant, const protocol::Value& entry, const std::string& id);

  const storage::Reader& snapshot_;
  const std::function<void(const std::string&)> differs_;
  std::map<Name, Expected> expected_;
  std::set<Name> pending_;
};

// Where a chain was read to.
struct AuditWalk {
  uint64_t entries = 0;
  std::string hash;  // of the last entry read; empty: none
};
// The next entries of a tenant's chain, at most `limit`. True: it was read to its end, and `walk` begins
// anew.
bool WalkAudit(const storage::Reader& reader, const protocol::TenantId& tenant, size_t limit, AuditWalk* walk,
               const std::function<void(const std::string&)>& differs);

}  // namespace parley::fanout
