#include "threads/model/card_kinds.h"

#include <algorithm>

#include "threads/model/rows.h"

namespace parley::threads {
namespace {

using enum CardActor;
using enum CardPort;

constexpr CardEffect kMoveBooking{kBooking, "booking.reschedule", true};
constexpr CardEffect kCancelBooking{kBooking, "booking.cancel", true};
constexpr CardEffect kCompleteBooking{kBooking, "booking.complete", false};
constexpr CardEffect kAcceptDelivery{kBooking, "booking.accept_delivery", false};
constexpr CardEffect kCharge{kPayment, "payment.charge", true};
constexpr CardEffect kRefund{kPayment, "payment.refund", true};
// `settle` reports that the money has arrived.
constexpr CardEffect kAskRefund{kPayment, "payment.refund", false};
constexpr CardEffect kCaptureDeposit{kPayment, "payment.capture_deposit", true};
constexpr CardEffect kOpenCase{kCases, "case.open", false};
constexpr CardEffect kCloseCase{kCases, "case.close", false};
constexpr CardEffect kHoldPayout{kPayment, "payment.hold", false};
constexpr CardEffect kReleasePayout{kPayment, "payment.release", false};
constexpr CardEffect kScanManifest{kScan, "scan.manifest", false};
constexpr CardEffect kQuiet{};

// Disputes take half of the reserve, so that a safety report always finds room.
constexpr size_t kReservedForDisputes = kReservedOpenCards / 2;

constexpr CardTransition kAskRevision{.from = "SUBMITTED",
                                      .intent = "request_revisions",
                                      .to = "REVISION_REQUESTED",
                                      .by = kBuyer,
                                      .revision = true};
constexpr CardTransition Escalate(std::string_view from) {
  return {.from = from, .intent = "escalate", .to = "ESCALATED", .by = kParty, .keeps_end = true};
}
constexpr CardTransition Resolve(CardEffect effect = kQuiet, CardEffect also = kQuiet) {
  return {.from = "ESCALATED",
          .intent = "resolve",
          .to = "RESOLVED",
          .by = kSupport,
          .effect = effect,
          .also = also};
}

std::vector<CardKind> MakeKinds() {
  std::vector<CardKind> kinds;
  kinds.push_back({
      .type = "RESCHEDULE",
      .alias = "reschedule",
      .category = "booking.schedule",
      .title = "Reschedule",
      .first = "PENDING",
      .finals = {"ACCEPTED", "DECLINED", "EXPIRED", "SUPERSEDED"},
      .creator = kParty,
      .payload = &schemas::kReschedule,
      .transitions = {{.from = "PENDING",
                       .intent = "accept",
                       .to = "ACCEPTED",
                       .by = kCounterpart,
                       .effect = kMoveBooking},
                      {.from = "PENDING", .intent = "decline", .to = "DECLINED", .by = kCounterpart},
                      {.from = "PENDING",
                       .intent = "counter",
                       .to = "SUPERSEDED",
                       .by = kCounterpart,
                       .data = CardData::kCounter},
                      {.from = "PENDING", .intent = "expire", .to = "EXPIRED", .by = kService}},
      .proposal = true,
      .single = true,
  });

  const std::vector<CardTransition> payable = {
      {.from = "PENDING",
       .intent = "approve",
       .to = "PAID",
       .by = kBuyer,
       .effect = kCharge,
       .unless = kOpenDispute},
      {.from = "PENDING", .intent = "decline", .to = "DECLINED", .by = kBuyer},
      {.from = "PENDING", .intent = "fail", .to = "FAILED", .by = kService},
      {.from = "PAID", .intent = "refund", .to = "REFUNDED", .by = kSeller, .effect = kRefund}};
  kinds.push_back({
      .type = "REQUEST_EXTRA",
      .alias = "extras",
      .category = "booking.extras",
      .title = "Extra",
      .first = "PENDING",
      .finals = {"PAID", "DECLINED", "FAILED", "REFUNDED", "EXPIRED"},
      .creator = kSeller,
      .payload = &schemas::kExtra,
      .transitions = payable,
      .unless = kOpenDispute,
      .proposal = true,
  });
  kinds.push_back({
      .type = "EXPENSE",
      .alias = "expense",
      .category = "booking.expense",
      .title = "Expense",
      .first = "PENDING",
      .finals = {"PAID", "DECLINED", "FAILED", "REFUNDED", "EXPIRED"},
      .creator = kSeller,
      .payload = &schemas::kExpense,
      .transitions = payable,
      .unless = kOpenDispute,
      .proposal = true,
  });

  kinds.push_back({
      .type = "OVERTIME_START",
      .category = "booking.overtime",
      .title = "Overtime",
      .first = "PENDING",
      .finals = {"STOPPED", "CANCELLED", "EXPIRED"},
      .creator = kParty,
      .payload = &schemas::kOvertime,
      .transitions = {{.from = "PENDING", .intent = "confirm", .to = "RUNNING", .by = kCounterpart},
                      {.from = "PENDING", .intent = "cancel", .to = "CANCELLED", .by = kParty},
                      {.from = "RUNNING", .intent = "stop", .to = "STOPPED", .by = kParty}},
      .proposal = true,
  });
  kinds.push_back({
      .type = "OVERTIME_STOP",
      .category = "booking.overtime",
      .title = "End of overtime",
      .first = "PENDING",
      .finals = {"STOPPED", "FAILED", "EXPIRED"},
      .creator = kParty,
      .payload = &schemas::kOvertime,
      .transitions =
          {{.from = "PENDING", .intent = "confirm", .to = "STOPPED", .by = kCounterpart, .effect = kCharge},
           {.from = "PENDING", .intent = "fail", .to = "FAILED", .by = kService}},
  });

  kinds.push_back({
      .type = "DELIVERABLE_PROOF",
      .alias = "proofs",
      .category = "deliverables.proof",
      .title = "Proofs",
      .first = "SUBMITTED",
      .finals = {"APPROVED", "CANCELLED", "EXPIRED"},
      .creator = kSeller,
      .payload = &schemas::kProof,
      .transitions = {{.from = "SUBMITTED", .intent = "approve", .to = "APPROVED", .by = kBuyer},
                      kAskRevision,
                      {.from = "REVISION_REQUESTED",
                       .intent = "resubmit",
                       .to = "SUBMITTED",
                       .by = kSeller,
                       .effect = kScanManifest,
                       .data = CardData::kPayload},
                      {.from = "REVISION_REQUESTED", .intent = "cancel", .to = "CANCELLED", .by = kSeller}},
      .on_open = kScanManifest,
  });
  kinds.push_back({
      .type = "DELIVERABLE_FINAL",
      .category = "deliverables.final",
      .title = "Final delivery",
      .first = "SUBMITTED",
      .finals = {"ACCEPTED", "CANCELLED", "EXPIRED"},
      .creator = kSeller,
      .payload = &schemas::kFinal,
      .transitions = {{.from = "SUBMITTED",
                       .intent = "acknowledge",
                       .to = "ACCEPTED",
                       .by = kBuyer,
                       .effect = kAcceptDelivery},
                      kAskRevision,
                      {.from = "REVISION_REQUESTED",
                       .intent = "resubmit",
                       .to = "SUBMITTED",
                       .by = kSeller,
                       .effect = kScanManifest,
                       .data = CardData::kPayload},
                      {.from = "REVISION_REQUESTED", .intent = "cancel", .to = "CANCELLED", .by = kSeller}},
      .on_open = kScanManifest,
  });
  kinds.push_back({
      .type = "APPROVE_DELIVERABLE",
      .category = "deliverables.approval",
      .title = "Approval",
      .first = "APPLIED",
      .finals = {"APPLIED"},
      .creator = kBuyer,
      .payload = &schemas::kDeliverableIntent,
      .lapses = false,
      .own = false,
      .applies = {{"DELIVERABLE_PROOF", "approve"}, {"DELIVERABLE_FINAL", "acknowledge"}},
  });
  kinds.push_back({
      .type = "REQUEST_REVISIONS",
      .category = "deliverables.revision",
      .title = "Revisions",
      .first = "APPLIED",
      .finals = {"APPLIED"},
      .creator = kBuyer,
      .payload = &schemas::kDeliverableIntent,
      .lapses = false,
      .own = false,
      .applies = {{"DELIVERABLE_PROOF", "request_revisions"}, {"DELIVERABLE_FINAL", "request_revisions"}},
  });

  kinds.push_back({
      .type = "CANCEL_REQUEST",
      .category = "booking.cancellation",
      .title = "Cancellation",
      .first = "PENDING",
      .finals = {"APPROVED", "DECLINED", "RESOLVED", "EXPIRED"},
      .creator = kParty,
      .payload = &schemas::kLegReason,
      .transitions = {{.from = "PENDING",
                       .intent = "approve",
                       .to = "APPROVED",
                       .by = kCounterpart,
                       .effect = kCancelBooking},
                      {.from = "PENDING", .intent = "decline", .to = "DECLINED", .by = kCounterpart},
                      Escalate("PENDING"),
                      Resolve()},
  });
  kinds.push_back({
      .type = "REFUND_REQUEST",
      .category = "booking.refund",
      .title = "Refund",
      .first = "PENDING",
      .finals = {"DECLINED", "SETTLED", "RESOLVED", "EXPIRED"},
      .creator = kParty,
      .payload = &schemas::kRefund,
      .transitions = {{.from = "PENDING",
                       .intent = "approve",
                       .to = "APPROVED",
                       .by = kCounterpart,
                       .effect = kAskRefund},
                      {.from = "PENDING", .intent = "decline", .to = "DECLINED", .by = kCounterpart},
                      Escalate("PENDING"),
                      {.from = "APPROVED", .intent = "settle", .to = "SETTLED", .by = kService},
                      Resolve()},
  });
  kinds.push_back({
      .type = "ACCEPTANCE_ACK",
      .alias = "complete",
      .category = "booking.completion",
      .title = "Completion",
      .first = "PENDING",
      .finals = {"COMPLETED", "EXPIRED"},
      .creator = kParty,
      .payload = &schemas::kComplete,
      .transitions = {{.from = "PENDING",
                       .intent = "acknowledge",
                       .to = "COMPLETED",
                       .by = kCounterpart,
                       .effect = kCompleteBooking,
                       .unless = kOpenReschedule | kOpenDispute}},
      .unless = kOpenDispute,
      .own = false,
  });
  kinds.push_back({
      .type = "DEPOSIT_CLAIM_OPEN",
      .category = "finance.deposit_claim",
      .title = "Deposit claim",
      .first = "PENDING",
      .finals = {"APPROVED", "DENIED", "RESOLVED", "EXPIRED"},
      .creator = kSeller,
      .payload = &schemas::kDeposit,
      .transitions = {{.from = "PENDING",
                       .intent = "approve",
                       .to = "APPROVED",
                       .by = kSupport,
                       .effect = kCaptureDeposit},
                      {.from = "PENDING", .intent = "deny", .to = "DENIED", .by = kSupport},
                      Escalate("PENDING"),
                      Resolve()},
  });
  kinds.push_back({
      .type = "DISPUTE_OPEN",
      .alias = "dispute",
      .category = "finance.dispute",
      .title = "Dispute",
      .first = "OPEN",
      .finals = {"SETTLED", "RESOLVED"},
      .creator = kParty,
      .payload = &schemas::kDispute,
      .transitions = {{.from = "OPEN",
                       .intent = "settle",
                       .to = "SETTLED",
                       .by = kCreator,
                       .effect = kCloseCase,
                       .also = kReleasePayout},
                      Escalate("OPEN"),
                      Resolve(kCloseCase, kReleasePayout)},
      .on_open = kOpenCase,
      .also_on_open = kHoldPayout,
      .lapses = false,
      .own = false,
      .pinned = true,
      .reserve = kReservedForDisputes,
  });
  kinds.push_back({
      .type = "SAFETY",
      .alias = "safety",
      .category = "safety.report",
      .title = "Safety report",
      .first = "OPEN",
      .finals = {"RESOLVED"},
      .creator = kParty,
      .payload = &schemas::kSafety,
      .transitions =
          {{.from = "OPEN", .intent = "resolve", .to = "RESOLVED", .by = kSupport, .effect = kCloseCase},
           {.from = "OPEN", .intent = "escalate", .to = "ESCALATED", .by = kSupport},
           Resolve(kCloseCase)},
      .on_open = kOpenCase,
      .lapses = false,
      .own = false,
      .confidential = true,
      .reserve = kReservedOpenCards,
  });
  kinds.push_back({
      .type = "SHARE_LOCATION",
      .category = "booking.location",
      .title = "Location",
      .first = "SHARED",
      .finals = {"STOPPED", "EXPIRED"},
      .creator = kParty,
      .payload = &schemas::kLocation,
      .transitions = {{.from = "SHARED", .intent = "stop", .to = "STOPPED", .by = kCreator}},
      .own = false,
  });
  return kinds;
}

}  // namespace

const std::vector<CardKind>& CardKinds() {
  static const std::vector<CardKind> kinds = MakeKinds();
  return kinds;
}

const CardKind* FindKind(std::string_view type) {
  for (const CardKind& kind : CardKinds()) {
    if (kind.type == type || (!kind.alias.empty() && kind.alias == type)) return &kind;
  }
  return nullptr;
}

bool IsCustomType(std::string_view type) {
  const auto fits = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  return !type.empty() && type.front() >= 'A' && type.front() <= 'Z' && type.size() <= 64 &&
         std::all_of(type.begin(), type.end(), fits);
}

}  // namespace parley::threads
