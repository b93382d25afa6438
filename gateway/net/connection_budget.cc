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
  ReleaseLocked(address);
  --open_;
}

void ConnectionBudget::ReleaseLocked(const std::string& address) {
  const auto found = per_address_.find(address);
  if (--found->second == 0) per_address_.erase(found);
}

bool ConnectionBudget::Move(const std::string& from, const std::string& to, size_t max_per_address) {
  protocol::MutexLock lock(&mutex_);
  const auto found = per_address_.find(to);
  if (found != per_address_.end() && found->second >= max_per_address) return false;
  ++per_address_[to];
  ReleaseLocked(from);
  return true;
}

}  // namespace parley::gateway
