#include "features/moderation/case_relay.h"

#include <algorithm>
#include <set>

#include "fanout/relay_place.h"
#include "features/moderation/asks.h"
#include "protocol/base/varint.h"
#include "storage/engine/item_keys.h"
#include "threads/judge/refusals.h"
#include "threads/model/card_kinds.h"
#include "threads/model/open_cards.h"
#include "threads/model/record_act.h"
#include "threads/model/row_reader.h"
#include "threads/model/thread_kinds.h"

namespace parley::features {

using protocol::Result;
using protocol::Severity;

namespace {

// Reads the case's facts from its card.
Result<CardCase> CaseOf(const threads::RowReader& rows, const threads::ThreadRow& head,
                        const threads::OpenCard& card) {
  CardCase out;
  const bool safety = card.type.value == threads::kSafety;
  out.origin = safety ? CaseOrigin::kSafety : CaseOrigin::kDispute;
  out.message_id = card.message_id;
  out.reporter = card.created_by;
  out.reason = safety ? "safety report" : "dispute";
  out.severity = safety ? Severity::kHigh : Severity::kMedium;
  const auto parties = threads::PartiesOf(head.item);
  if (parties && parties->one == out.reporter) out.about = parties->other;
  if (parties && parties->other == out.reporter) out.about = parties->one;
  PARLEY_TRY(row, rows.Card(head.item.thread_id, card.message_id));
  protocol::Document payload;
  if (!row || !threads::DecodeStored(row->item.payload.msgpack, &payload)) return out;
  const protocol::Value* severity = payload.root.Find("severity");
  if (severity && severity->as_text()) {
    const auto said = protocol::EnumFromName<Severity>(*severity->as_text());
    out.severity = std::max(out.severity, said.value_or(out.severity));  // it never lowers the default
  }
  const protocol::Value* reason = payload.root.Find("reason");
  if (reason && reason->as_text() && reason->as_text()->size() <= decltype(Case::reason)::kMax)
    out.reason = std::string(*reason->as_text());
  return out;
}

Result<std::vector<CardCase>> CasesIn(const threads::RowReader& rows, const threads::ThreadRow& head) {
  std::vector<CardCase> out;
  for (const threads::OpenCard& card : threads::OpenCardsOf(head)) {
    if (card.type.value != threads::kSafety && card.type.value != threads::kDispute) continue;
    if (card.of_case.value) continue;  // it has its case already
    PARLEY_TRY(one, CaseOf(rows, head, card));
    out.push_back(std::move(one));
  }
  return out;
}

class CaseTask final : public fanout::RelayTask {
 public:
  explicit CaseTask(FindDual dual) : dual_(std::move(dual)) {}

  std::string_view name() const override { return "cases"; }
  std::string_view field() const override { return "cases"; }
  bool HasField(const threads::ChangeEntry& entry) const override { return entry.cases.value.has_value(); }
  storage::Status ReadPlace(const storage::Reader& reader, storage::Position* out) const override {
    std::optional<storage::Row> row;
    if (auto status = reader.Get(storage::CaseRelayRecords(), fanout::RelayPlaceKey(), &row);
        !status.ok() || !row)
      return status;
    std::string_view rest = row->payload;
    if (!protocol::TakeVarint(&rest, out) || !rest.empty())
      return {storage::StatusCode::kCorrupt, "how far cards have become cases cannot be read"};
    return {};
  }
  fanout::RelayOutcome Write(storage::ItemTransaction& tx, const std::vector<fanout::RelayedEntry>& entries,
                             storage::Position through) const override {
    std::set<std::pair<protocol::TenantId, protocol::ThreadId>> seen;
    fanout::RelayOutcome outcome;
    for (const fanout::RelayedEntry& one : entries) {
      if (!FollowStops(tx, one.entry).ok()) return {};
      if (!seen.emplace(one.entry.tenant, one.entry.thread).second) continue;
      if (!Follow(tx, one.entry).ok()) return {};
      ++outcome.rows;
    }
    std::string place;
    protocol::AppendVarint(&place, through);
    tx.Write(storage::CaseRelayRecords(), fanout::RelayPlaceKey(), storage::Row{1, std::move(place)});
    outcome.done = true;
    return outcome;
  }

 private:
  protocol::Status Follow(storage::ItemTransaction& tx, const threads::ChangeEntry& entry) const {
    const threads::RowReader rows(tx.reader(), entry.tenant);
    PARLEY_TRY(head, rows.Thread(entry.thread));
    if (!head) return protocol::Ok();
    PARLEY_TRY(open, CasesIn(rows, *head));
    accounts::RecordTransaction records(tx, entry.tenant);
    return FollowCards(records, entry.thread, open, dual_(entry.tenant));
  }

  protocol::Status FollowStops(storage::ItemTransaction& tx, const threads::ChangeEntry& entry) const {
    if (!entry.acts.value) return protocol::Ok();
    accounts::RecordTransaction records(tx, entry.tenant);
    for (const protocol::AuditId& id : entry.acts.value->items) {
      std::optional<storage::Row> row;
      threads::ActRow act;
      const auto partition = threads::ThreadPartition(entry.tenant, entry.thread);
      if (auto status = tx.reader().Get(partition, threads::ActKey(id), &row); !status.ok())
        return threads::FromStorage(status);
      if (!row || !threads::DecodeStored(row->payload, &act)) continue;  // verification tells
      if (act.action != threads::kPolicyStop || !act.actor) continue;
      const PolicyStop stop{id.ToText(), entry.thread, *act.actor, act.reason};
      PARLEY_CHECK_OK(OpenPolicyCase(records, stop, dual_(entry.tenant)));
      PARLEY_CHECK_OK(records.Commit());
    }
    return protocol::Ok();
  }

  const FindDual dual_;
};

std::function<void(const fanout::RelayOutcome&)> CountIn(protocol::Metrics& metrics,
                                                         std::function<void()> effects) {
  auto threads =
      metrics.AddCounter("parley_case_threads_total", "Threads whose cases were updated from their cards");
  return [threads, effects = std::move(effects)](const fanout::RelayOutcome& outcome) mutable {
    threads.Add(static_cast<double>(outcome.rows));
    if (outcome.rows > 0) effects();
  };
}

}  // namespace

CaseRelay::CaseRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit,
                     std::function<void()> wake, Settings settings, FindDual dual,
                     std::function<void()> effects, protocol::Metrics& metrics)
    : fanout::LogRelay(std::make_shared<CaseTask>(std::move(dual)), table, std::move(submit), std::move(wake),
                       settings, CountIn(metrics, std::move(effects))) {}

}  // namespace parley::features
