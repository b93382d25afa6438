// Follows the change log for cases: safety reports and disputes open cases, and end them with their cards.
// Whenever one opens or ends in a thread, the thread's cases are updated from its head as it is then. A text
// that led to a stop by the text policy (policy.stop among an entry's acts) opens a case, too. A repeat
// changes nothing.
//
// Thread contract: as LogRelay's.
#pragma once

#include <functional>

#include "fanout/log_relay.h"
#include "features/moderation/cases.h"

namespace parley::features {

using FindDual = std::function<DualSeverities(const protocol::TenantId&)>;

// `effects` is called on the worker's thread whenever a case may have effects in threads.
class CaseRelay final : public fanout::LogRelay {
 public:
  CaseRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake,
            Settings settings, FindDual dual, std::function<void()> effects, protocol::Metrics& metrics);
};

}  // namespace parley::features
