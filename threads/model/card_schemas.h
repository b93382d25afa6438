// The payloads of cards, in the schema language (threads/model/schema.h). What a schema cannot express
// (computed totals, ends after beginnings) is in payload.cc, beside the check.
#pragma once

#include "threads/model/schema.h"

namespace parley::threads {

namespace schemas {
extern const Schema kReschedule, kExtra, kOvertime, kProof, kFinal, kDeliverableIntent, kLegReason, kRefund,
    kComplete, kDeposit, kDispute, kExpense, kSafety, kLocation, kAny, kNote;
// Also allowed in every payload: the ids by which outside records are found.
extern const Schema kIds;
}  // namespace schemas

}  // namespace parley::threads
