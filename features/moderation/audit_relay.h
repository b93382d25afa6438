// Follows the change log for the tenants' audit chains: each ACT# and LOOK# row that the log names becomes
// one entry, exactly once (log_relay.h), in the order of the log.
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

// The facts that the chain keeps of an access; nullopt if the row is from a release without a chain.
std::optional<protocol::AuditFacts> FactsOfAccess(const protocol::ThreadId& thread,
                                                  const protocol::AuditEntry& look);

// A decision: chains the acts that the entries name, in order, and stores the place `through`.
fanout::RelayOutcome WriteAuditRows(storage::ItemTransaction& tx,
                                    const std::vector<fanout::RelayedEntry>& entries,
                                    storage::Position through);
storage::Status ReadAuditPlace(const storage::Reader& reader, storage::Position* out);

}  // namespace parley::features
