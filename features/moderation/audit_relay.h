// Makes entries of the tenants' audit chains of what staff did in threads and looked at: of the ACT# and
// LOOK# rows that the change log names, each exactly once (log_relay.h), in the order of the log.
//
// Thread contract: as LogRelay's.
#pragma once

#include "fanout/log_relay.h"
#include "protocol/audit.h"
#include "protocol/ops/staff.h"

namespace parley::features {

class AuditRelay final : public fanout::LogRelay {
 public:
  AuditRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake,
             Settings settings, protocol::Metrics& metrics);
};

// What the chain says of a look. nullopt: it is from a release that had no chain.
std::optional<protocol::AuditFacts> FactsOfAccess(const protocol::ThreadId& thread,
                                                  const protocol::AuditEntry& look);

// A decision: the acts that the entries name, chained in order, and the place `through`.
fanout::RelayOutcome WriteAuditRows(storage::ItemTransaction& tx,
                                    const std::vector<fanout::TellingEntry>& entries,
                                    storage::Position through);
storage::Status ReadAuditPlace(const storage::Reader& reader, storage::Position* out);

}  // namespace parley::features
