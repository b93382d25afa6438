// Counts the events that expire before they are acknowledged: a back end that does not fetch its events loses
// them after 30 days, and this metric shows it to the operator.
//
// Thread contract: AddExpiredEvents before anything runs; the returned function on the item writer's thread.
#pragma once

#include "features/host/feature.h"

namespace parley::features {

OnExpiredItem AddExpiredEvents(protocol::Metrics& metrics);

}  // namespace parley::features
