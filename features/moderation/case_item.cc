#include "features/moderation/case_item.h"

#include "accounts/records/item_fields.h"
#include "protocol/bind.h"
#include "protocol/encode.h"
#include "protocol/writer.h"

namespace parley::features {

using protocol::CaseId;
using protocol::Error;
using protocol::ErrorCode;
using protocol::Result;
using protocol::Time;

namespace {

constexpr std::string_view kDetails = "details", kCounts = "counts";

// The attribute `details` of a case.
struct CaseDetails {
  Case shown;
  protocol::Text<256> subject;
  protocol::List<CaseEffect, kMaxCaseEffects> effects;
  int64_t effects_made = 0;
  bool gives_access = false;
  protocol::Omit<protocol::List<HeldSanction, kMaxHeld>> held;
  static constexpr void Fields(auto& field) {
    using T = CaseDetails;
    field("case", &T::shown, "");
    field("subject", &T::subject, "");
    field("effects", &T::effects, "");
    field("effectsMade", &T::effects_made, "");
    field("givesAccess", &T::gives_access, "");
    field("held", &T::held, "");
  }
};

template <class T>
std::string JsonOf(const T& value) {
  return protocol::MsgpackToJson(protocol::Encode(value));
}

template <class T>
Result<T> FromJson(const storage::Item& item, std::string_view name) {
  protocol::DecodeLimits limits;
  limits.max_bytes = storage::kItemBytesMax;
  protocol::Document document;
  T out;
  if (protocol::DecodeJson(accounts::TextOf(item, name), limits, &document) ||
      !protocol::Bind(document.root, &out).ok())
    return Error(ErrorCode::kInternal, "a case cannot be read");
  return out;
}

int64_t& CountOf(CaseStatus status, CaseStats* stats) {
  switch (status) {
    case CaseStatus::kAwaitingSecondApproval:
      return stats->awaiting_second_approval;
    case CaseStatus::kEscalated:
      return stats->escalated;
    case CaseStatus::kResolved:
      return stats->resolved;
    case CaseStatus::kRejected:
      return stats->rejected;
    case CaseStatus::kPending:
      break;
  }
  return stats->pending;
}

}  // namespace

std::string CaseHash(const CaseId& id) {
  return "cases/" + id.ToText();
}

std::string ReportRange(const protocol::UserId& reporter) {
  return "reports/" + reporter.ToText();
}

std::string PlaceInLists(Time at, const CaseId& id) {
  std::string ms = std::to_string(std::max<int64_t>(at.ms, 0));
  if (ms.size() < 13) ms.insert(0, 13 - ms.size(), '0');
  return ms + "#" + id.ToText();
}

std::optional<CaseId> CaseOfPlace(std::string_view place) {
  const size_t mark = place.find('#');
  if (mark != 13) return std::nullopt;
  return CaseId::FromText(place.substr(mark + 1));
}

storage::Item CaseToItem(const CaseRecord& record, storage::Item base) {
  const Case& shown = record.shown;
  const bool open = IsOpen(shown.status);
  storage::Item item = std::move(base);
  item.Set("pk", CaseHash(shown.case_id));
  item.Set("sk", "case");
  item.Set("caseId", shown.case_id.ToText());
  item.Set("scope", "cases");
  item.Set("listedAs", PlaceInLists(shown.reported_at, shown.case_id));
  item.Set("type", protocol::NameOf(shown.type));
  item.Set("origin", protocol::NameOf(shown.origin));
  item.Set("status", protocol::NameOf(shown.status));
  item.Set("severity", protocol::NameOf(shown.severity));
  if (shown.thread_id) item.Set("threadId", shown.thread_id->ToText());
  if (shown.message_id) item.Set("messageId", shown.message_id->ToText());
  if (shown.user_id) item.Set("userId", shown.user_id->ToText());
  accounts::SetText(&item, "openSubject", open ? record.subject : std::string());
  const bool in_thread = open && shown.thread_id;
  accounts::SetText(&item, "openScope", in_thread ? "open" : "");
  accounts::SetText(&item, "openThread",
                    in_thread ? shown.thread_id->ToText() + "#" + shown.case_id.ToText() : std::string());
  accounts::SetText(&item, "openUser", open && shown.user_id ? shown.user_id->ToText() : std::string());
  accounts::SetText(&item, "effectsDue", record.effects.empty() ? "" : "due");
  CaseDetails details{shown, {record.subject}, {record.effects}, record.effects_made, record.gives_access,
                      {}};
  if (!record.held.empty()) details.held.value.emplace().items = record.held;
  item.Set(kDetails, JsonOf(details));
  return item;
}

Result<CaseRecord> CaseFromItem(const storage::Item& item) {
  PARLEY_TRY(details, FromJson<CaseDetails>(item, kDetails));
  CaseRecord out{std::move(details.shown),
                 std::move(details.subject.value),
                 std::move(details.effects.items),
                 details.effects_made,
                 details.gives_access,
                 {}};
  if (details.held.value) out.held = std::move(details.held.value->items);
  return out;
}

storage::Item ReportToItem(const CaseId& id, const CaseReport& report) {
  return {{"pk", CaseHash(id)},
          {"sk", ReportRange(report.user_id)},
          {"reporterId", report.user_id.ToText()},
          {"filedAs", PlaceInLists(report.at, id)},
          {kDetails.data(), JsonOf(report)}};
}

Result<CaseReport> ReportFromItem(const storage::Item& item) {
  return FromJson<CaseReport>(item, kDetails);
}

std::string StatsRange(const std::optional<protocol::UserId>& about) {
  return about ? "stats/" + about->ToText() : "stats";
}

storage::Item StatsToItem(const CaseStats& stats, const std::optional<protocol::UserId>& about,
                          storage::Item base) {
  storage::Item item = std::move(base);
  item.Set("pk", "stats");
  item.Set("sk", StatsRange(about));
  if (about) item.Set("aboutId", about->ToText());
  item.Set(kCounts, JsonOf(stats));
  return item;
}

Result<CaseStats> StatsFromItem(const storage::Item& item) {
  return FromJson<CaseStats>(item, kCounts);
}

void CountCase(const Case& one, int64_t change, CaseStats* stats) {
  CountOf(one.status, stats) += change;
  if (IsOpen(one.status) && one.requires_dual_approval) stats->dual_approval += change;
}

CaseStats operator-(CaseStats a, const CaseStats& b) {
  a.pending -= b.pending;
  a.awaiting_second_approval -= b.awaiting_second_approval;
  a.escalated -= b.escalated;
  a.resolved -= b.resolved;
  a.rejected -= b.rejected;
  a.dual_approval -= b.dual_approval;
  return a;
}

}  // namespace parley::features
