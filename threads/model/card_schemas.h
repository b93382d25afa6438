// The payloads of cards, in the schema language (threads/model/schema.h). cards/payload.cc checks the rules
// that a schema cannot express (computed totals, ends after beginnings).
#pragma once

#include "threads/model/schema.h"

namespace parley::threads {

namespace schemas {
extern const Schema kReschedule, kExtra, kOvertime, kProof, kFinal, kDeliverableIntent, kLegReason, kRefund,
    kComplete, kDeposit, kDispute, kExpense, kSafety, kLocation, kAny, kNote;
// Ids of outside records, which every payload may contain.
extern const Schema kIds;
}  // namespace schemas

}  // namespace parley::threads
