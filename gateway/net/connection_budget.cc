#include "gateway/net/connection_budget.h"

namespace parley::gateway {

ConnectionBudget::Verdict ConnectionBudget::Take(const std::string& address, bool bound_address,
                                                 size_t max_connections, size_t max_per_address) {
  protocol::MutexLock lock(&mutex_);
  if (open_ >= max_connections) return Verdict::kFull;
  const auto found = per_address_.find(address);
  const size_t held = found == per_address_.end() ? 0 : found->second;
  if (bound_address && held >= max_per_address) return Verdict::kAddress;
  ++per_address_[address];
  ++open_;
  return Verdict::kTaken;
}

void ConnectionBudget::Release(const std::string& address) {
  protocol::MutexLock lock(&mutex_);
  const auto found = per_address_.find(address);
  if (--found->second == 0) per_address_.erase(found);
  --open_;
}

}  // namespace parley::gateway
