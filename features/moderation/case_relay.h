// Makes cases of safety reports and disputes, and ends them with their cards: whenever the change log says
// that one was opened or has ended in a thread, the thread's cases are brought up to its head, as it is then.
// A text that led to a stop by the text policy (policy.stop among the acts of an entry) opens one, too. Doing
// it twice changes nothing.
//
// Thread contract: as LogRelay's.
#pragma once

#include <functional>

#include "fanout/log_relay.h"
#include "features/moderation/cases.h"

namespace parley::features {

using FindDual = std::function<DualSeverities(const protocol::TenantId&)>;

// `effects`: something may be to do in threads. Called on the worker's thread.
class CaseRelay final : public fanout::LogRelay {
 public:
  CaseRelay(storage::Table& table, std::function<bool(storage::ItemJob&)> submit, std::function<void()> wake,
            Settings settings, FindDual dual, std::function<void()> effects, protocol::Metrics& metrics);
};

}  // namespace parley::features
