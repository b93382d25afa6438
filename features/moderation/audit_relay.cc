#include "features/moderation/audit_relay.h"

#include <map>

#include "accounts/audit/audit_chain.h"
#include "fanout/relay_place.h"
#include "protocol/base/log.h"
#include "protocol/base/varint.h"
#include "storage/engine/item_keys.h"
#include "threads/model/record_act.h"

namespace parley::features {

using protocol::AuditFacts;
using protocol::AuditId;

namespace {

bool Decode(const std::optional<storage::Row>& row, auto* out) {
  return row && threads::DecodeStored(row->payload, out);
}

// Reads the record with this id; nullopt if it cannot be decoded.
storage::Status ReadFacts(const storage::Reader& reader, const threads::ChangeEntry& entry, const AuditId& id,
                          std::optional<AuditFacts>* out) {
  const auto partition = threads::ThreadPartition(entry.tenant, entry.thread);
  const storage::RowKey keys[] = {{partition, threads::ActKey(id)}, {partition, threads::AccessKey(id.ulid)}};
  std::vector<std::optional<storage::Row>> rows;
  if (auto status = reader.MultiGet(keys, &rows); !status.ok()) return status;
  AuditFacts facts;
  protocol::AuditEntry look;
  if (Decode(rows[0], &facts)) {
    *out = std::move(facts);
  } else if (Decode(rows[1], &look)) {
    *out = FactsOfAccess(entry.thread, look);
  }
  return {};
}

// All entries of one decision, which writes nothing unless it could read everything.
class Chained {
 public:
  explicit Chained(storage::ItemTransaction& tx) : tx_(tx) {}

  // Returns false if the store cannot be read now.
  bool Add(const threads::ChangeEntry& entry) {
    accounts::RecordTransaction& records =
        tenants_.try_emplace(entry.tenant, tx_, entry.tenant).first->second;
    for (const AuditId& id : entry.acts.value->items) {
      std::optional<AuditFacts> facts;
      if (!ReadFacts(tx_.reader(), entry, id, &facts).ok()) return false;
      if (!facts) {
        Miss(entry, id);
        continue;
      }
      if (!AppendFacts(records, *std::move(facts)).ok()) return false;
      ++outcome.rows;
    }
    return true;
  }
  // Writes rows without conditions, so nothing rejects it.
  void Commit() {
    for (auto& [tenant, records] : tenants_) outcome.done &= records.Commit().ok();
  }

  fanout::RelayOutcome outcome{.done = true};

 private:
  // verify reports it; the other entries are still chained.
  void Miss(const threads::ChangeEntry& entry, const AuditId& id) {
    ++outcome.refused;
    protocol::Log(
        protocol::LogLevel::kError, "fanout", "an act of staff is missing at the place that the log names",
        {{"tenant", entry.tenant.ToText()}, {"thread", entry.thread.ToText()}, {"act", id.ToText()}});
  }

  storage::ItemTransaction& tx_;
  std::map<protocol::TenantId, accounts::RecordTransaction> tenants_;
};

class AuditTask final : public fanout::RelayTask {
 public:
  std::string_view name() const override { return "audit"; }
  std::string_view field() const override { return "acts"; }
  bool HasField(const threads::ChangeEntry& entry) const override { return entry.acts.value.has_value(); }
  storage::Status ReadPlace(const storage::Reader& reader, storage::Position* out) const override {
    return ReadAuditPlace(reader, out);
  }
  fanout::RelayOutcome Write(storage::ItemTransaction& tx, const std::vector<fanout::RelayedEntry>& entries,
                             storage::Position through) const override {
    return WriteAuditRows(tx, entries, through);
  }
};

std::function<void(const fanout::RelayOutcome&)> CountAuditsIn(protocol::Metrics& metrics) {
  auto entries = metrics.AddCounter("parley_audit_entries_total",
                                    "Acts of staff in threads that became entries of audit chains");
  auto refused = metrics.AddCounter("parley_audit_entries_refused_total",
                                    "Acts of staff in threads whose records could not be read");
  return [entries, refused](const fanout::RelayOutcome& outcome) mutable {
    entries.Add(static_cast<double>(outcome.rows));
    refused.Add(static_cast<double>(outcome.refused));
  };
}

}  // namespace

AuditRelay::AuditRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit,
                       std::function<void()> wake, Settings settings, protocol::Metrics& metrics)
    : fanout::LogRelay(std::make_shared<AuditTask>(), table, std::move(submit), std::move(wake), settings,
                       CountAuditsIn(metrics)) {
  metrics.AddReadGauge("parley_audit_relay_lag",
                       "Change-log entries that the relay of staff's acts has not read yet", [&table, this] {
                         const auto last = table.LastPosition(), seen = reached().position();
                         return last > seen ? static_cast<double>(last - seen) : 0.0;
                       });
}

std::optional<AuditFacts> FactsOfAccess(const protocol::ThreadId& thread, const protocol::AuditEntry& look) {
  if (!look.audit_id.value) return std::nullopt;
  AuditFacts facts;
  facts.audit_id = *look.audit_id.value;
  facts.at = look.at;
  facts.actor = look.actor_user_id;
  facts.actor_role = look.actor_role.value_or("");
  facts.action = "look." + look.op.value_or("");
  facts.reason = look.reason.value_or("");
  facts.thread_id = thread;
  facts.message_id = look.message_id;
  facts.case_id = look.case_id.value;
  return facts;
}

storage::Status ReadAuditPlace(const storage::Reader& reader, storage::Position* out) {
  std::optional<storage::Row> row;
  if (auto status = reader.Get(storage::AuditRelayRecords(), fanout::RelayPlaceKey(), &row);
      !status.ok() || !row)
    return status;
  std::string_view rest = row->payload;
  if (!protocol::TakeVarint(&rest, out) || !rest.empty())
    return {storage::StatusCode::kCorrupt, "how far acts of staff have been chained cannot be read"};
  return {};
}

fanout::RelayOutcome WriteAuditRows(storage::ItemTransaction& tx,
                                    const std::vector<fanout::RelayedEntry>& entries,
                                    storage::Position through) {
  storage::Position place = 0;
  if (!ReadAuditPlace(tx.reader(), &place).ok()) return {};
  Chained chained(tx);
  for (const fanout::RelayedEntry& one : entries) {
    if (one.position > place && !chained.Add(one.entry)) return {};
  }
  chained.Commit();
  if (through > place) {
    std::string payload;
    protocol::AppendVarint(&payload, through);
    tx.Write(storage::AuditRelayRecords(), fanout::RelayPlaceKey(), storage::Row{1, std::move(payload)});
  }
  return chained.outcome;
}

}  // namespace parley::features
