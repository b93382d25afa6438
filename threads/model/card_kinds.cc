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
constexpr CardEffect kAskRefund{kPayment, "payment.refund", false};  // the money's arrival is `settle`
constexpr CardEffect kCaptureDeposit{kPayment, "payment.capture_deposit", true};
constexpr CardEffect kOpenCase{kCases, "case.open", false};
constexpr CardEffect kCloseCase{kCases, "case.close", false};
constexpr CardEffect kHoldPayout{kPayment, "payment.hold", false};
constexpr CardEffect kReleasePayout{kPayment, "payment.release", false};
constexpr CardEffect kScanManifest{kScan, "scan.manifest", false};
constexpr CardEffect kQuiet{};

// Of the reserve, disputes take a half: a safety report finds room whatever was disputed.
constexpr size_t kReservedForDisputes = kReservedOpenCards / 2;

constexpr CardTransition kAskRevision{
    "SUBMITTED", "request_revisions", "REVISION_REQUESTED", kBuyer, kQuiet, kNothing, CardData::kNote, true};
constexpr CardTransition Escalate(std::string_view from) {
  return {from, "escalate", "ESCALATED", kParty, kQuiet, kNothing, CardData::kNote, false, kQuiet, true};
}
constexpr CardTransition Resolve(CardEffect effect = kQuiet, CardEffect also = kQuiet) {
  return {"ESCALATED", "resolve", "RESOLVED", kSupport, effect, kNothing, CardData::kNote, false, also};
}

std::vector<CardKind> MakeKinds() {
  std::vector<CardKind> kinds;
  kinds.push_back({"RESCHEDULE",
                   "reschedule",
                   "booking.schedule",
                   "Reschedule",
                   "PENDING",
                   {"ACCEPTED", "DECLINED", "EXPIRED", "SUPERSEDED"},
                   kParty,
                   &schemas::kReschedule,
                   {{"PENDING", "accept", "ACCEPTED", kCounterpart, kMoveBooking},
                    {"PENDING", "decline", "DECLINED", kCounterpart},
                    {"PENDING", "counter", "SUPERSEDED", kCounterpart, kQuiet, kNothing, CardData::kCounter},
                    {"PENDING", "expire", "EXPIRED", kService}}});
  kinds.back().proposal = kinds.back().single = true;

  const std::vector<CardTransition> payable = {{"PENDING", "approve", "PAID", kBuyer, kCharge, kOpenDispute},
                                               {"PENDING", "decline", "DECLINED", kBuyer},
                                               {"PENDING", "fail", "FAILED", kService},
                                               {"PAID", "refund", "REFUNDED", kSeller, kRefund}};
  kinds.push_back({"REQUEST_EXTRA",
                   "extras",
                   "booking.extras",
                   "Extra",
                   "PENDING",
                   {"PAID", "DECLINED", "FAILED", "REFUNDED", "EXPIRED"},
                   kSeller,
                   &schemas::kExtra,
                   payable});
  kinds.back().unless = kOpenDispute;
  kinds.back().proposal = true;
  kinds.push_back({"EXPENSE",
                   "expense",
                   "booking.expense",
                   "Expense",
                   "PENDING",
                   {"PAID", "DECLINED", "FAILED", "REFUNDED", "EXPIRED"},
                   kSeller,
                   &schemas::kExpense,
                   payable});
  kinds.back().unless = kOpenDispute;
  kinds.back().proposal = true;

  kinds.push_back({"OVERTIME_START",
                   "",
                   "booking.overtime",
                   "Overtime",
                   "PENDING",
                   {"STOPPED", "CANCELLED", "EXPIRED"},
                   kParty,
                   &schemas::kOvertime,
                   {{"PENDING", "confirm", "RUNNING", kCounterpart},
                    {"PENDING", "cancel", "CANCELLED", kParty},
                    {"RUNNING", "stop", "STOPPED", kParty}}});
  kinds.back().proposal = true;
  kinds.push_back(
      {"OVERTIME_STOP",
       "",
       "booking.overtime",
       "End of overtime",
       "PENDING",
       {"STOPPED", "FAILED", "EXPIRED"},
       kParty,
       &schemas::kOvertime,
       {{"PENDING", "confirm", "STOPPED", kCounterpart, kCharge}, {"PENDING", "fail", "FAILED", kService}}});

  kinds.push_back(
      {"DELIVERABLE_PROOF",
       "proofs",
       "deliverables.proof",
       "Proofs",
       "SUBMITTED",
       {"APPROVED", "CANCELLED", "EXPIRED"},
       kSeller,
       &schemas::kProof,
       {{"SUBMITTED", "approve", "APPROVED", kBuyer},
        kAskRevision,
        {"REVISION_REQUESTED", "resubmit", "SUBMITTED", kSeller, kScanManifest, kNothing, CardData::kPayload},
        {"REVISION_REQUESTED", "cancel", "CANCELLED", kSeller}},
       kScanManifest});
  kinds.push_back(
      {"DELIVERABLE_FINAL",
       "",
       "deliverables.final",
       "Final delivery",
       "SUBMITTED",
       {"ACCEPTED", "CANCELLED", "EXPIRED"},
       kSeller,
       &schemas::kFinal,
       {{"SUBMITTED", "acknowledge", "ACCEPTED", kBuyer, kAcceptDelivery},
        kAskRevision,
        {"REVISION_REQUESTED", "resubmit", "SUBMITTED", kSeller, kScanManifest, kNothing, CardData::kPayload},
        {"REVISION_REQUESTED", "cancel", "CANCELLED", kSeller}},
       kScanManifest});
  kinds.push_back({"APPROVE_DELIVERABLE",
                   "",
                   "deliverables.approval",
                   "Approval",
                   "APPLIED",
                   {"APPLIED"},
                   kBuyer,
                   &schemas::kDeliverableIntent,
                   {}});
  kinds.back().lapses = kinds.back().own = false;
  kinds.back().applies = {{"DELIVERABLE_PROOF", "approve"}, {"DELIVERABLE_FINAL", "acknowledge"}};
  kinds.push_back({"REQUEST_REVISIONS",
                   "",
                   "deliverables.revision",
                   "Revisions",
                   "APPLIED",
                   {"APPLIED"},
                   kBuyer,
                   &schemas::kDeliverableIntent,
                   {}});
  kinds.back().lapses = kinds.back().own = false;
  kinds.back().applies = {{"DELIVERABLE_PROOF", "request_revisions"},
                          {"DELIVERABLE_FINAL", "request_revisions"}};

  kinds.push_back({"CANCEL_REQUEST",
                   "",
                   "booking.cancellation",
                   "Cancellation",
                   "PENDING",
                   {"APPROVED", "DECLINED", "RESOLVED", "EXPIRED"},
                   kParty,
                   &schemas::kLegReason,
                   {{"PENDING", "approve", "APPROVED", kCounterpart, kCancelBooking},
                    {"PENDING", "decline", "DECLINED", kCounterpart},
                    Escalate("PENDING"),
                    Resolve()}});
  kinds.push_back({"REFUND_REQUEST",
                   "",
                   "booking.refund",
                   "Refund",
                   "PENDING",
                   {"DECLINED", "SETTLED", "RESOLVED", "EXPIRED"},
                   kParty,
                   &schemas::kRefund,
                   {{"PENDING", "approve", "APPROVED", kCounterpart, kAskRefund},
                    {"PENDING", "decline", "DECLINED", kCounterpart},
                    Escalate("PENDING"),
                    {"APPROVED", "settle", "SETTLED", kService},
                    Resolve()}});
  kinds.push_back({"ACCEPTANCE_ACK",
                   "complete",
                   "booking.completion",
                   "Completion",
                   "PENDING",
                   {"COMPLETED", "EXPIRED"},
                   kParty,
                   &schemas::kComplete,
                   {{"PENDING", "acknowledge", "COMPLETED", kCounterpart, kCompleteBooking,
                     kOpenReschedule | kOpenDispute}}});
  kinds.back().unless = kOpenDispute;
  kinds.back().own = false;
  kinds.push_back({"DEPOSIT_CLAIM_OPEN",
                   "",
                   "finance.deposit_claim",
                   "Deposit claim",
                   "PENDING",
                   {"APPROVED", "DENIED", "RESOLVED", "EXPIRED"},
                   kSeller,
                   &schemas::kDeposit,
                   {{"PENDING", "approve", "APPROVED", kSupport, kCaptureDeposit},
                    {"PENDING", "deny", "DENIED", kSupport},
                    Escalate("PENDING"),
                    Resolve()}});
  kinds.push_back(
      {"DISPUTE_OPEN",
       "dispute",
       "finance.dispute",
       "Dispute",
       "OPEN",
       {"SETTLED", "RESOLVED"},
       kParty,
       &schemas::kDispute,
       {{"OPEN", "settle", "SETTLED", kCreator, kCloseCase, kNothing, CardData::kNote, false, kReleasePayout},
        Escalate("OPEN"),
        Resolve(kCloseCase, kReleasePayout)},
       kOpenCase,
       kHoldPayout});
  kinds.back().lapses = kinds.back().own = false;
  kinds.back().pinned = true;
  kinds.back().reserve = kReservedForDisputes;
  kinds.push_back({"SAFETY",
                   "safety",
                   "safety.report",
                   "Safety report",
                   "OPEN",
                   {"RESOLVED"},
                   kParty,
                   &schemas::kSafety,
                   {{"OPEN", "resolve", "RESOLVED", kSupport, kCloseCase},
                    {"OPEN", "escalate", "ESCALATED", kSupport},
                    Resolve(kCloseCase)},
                   kOpenCase});
  kinds.back().lapses = kinds.back().own = false;
  kinds.back().confidential = true;
  kinds.back().reserve = kReservedOpenCards;
  kinds.push_back({"SHARE_LOCATION",
                   "",
                   "booking.location",
                   "Location",
                   "SHARED",
                   {"STOPPED", "EXPIRED"},
                   kParty,
                   &schemas::kLocation,
                   {{"SHARED", "stop", "STOPPED", kCreator}}});
  kinds.back().own = false;
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
