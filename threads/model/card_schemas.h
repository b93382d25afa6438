// The payloads of cards, in the language of schemas (threads/model/schema.h). What a schema cannot say
// (computed totals, ends after beginnings) is in payload.cc, beside the check.
#pragma once

#include "threads/model/schema.h"

namespace parley::threads {

namespace schemas {
extern const Schema kReschedule, kExtra, kOvertime, kProof, kFinal, kDeliverableIntent, kLegReason, kRefund,
    kComplete, kDeposit, kDispute, kExpense, kSafety, kLocation, kAny, kNote;
// Allowed in every payload besides: the ids that outside records are found by.
extern const Schema kIds;
}  // namespace schemas

}  // namespace parley::threads
