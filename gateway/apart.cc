#include "gateway/apart.h"

namespace parley::gateway {

using protocol::UserId;

void Apart::Open(const ThreadName& thread, const std::optional<threads::Parties>& between, bool apart) {
  if (!between) return Close(thread);
  threads_.insert_or_assign(thread, Between{*between, apart});
}

std::vector<Apart::ThreadName> Apart::Change(const protocol::TenantId& tenant, const UserId& a,
                                             const UserId& b, bool apart) {
  std::vector<ThreadName> changed;
  for (auto& [name, between] : threads_) {
    const auto& [one, other] = between.parties;
    const bool theirs = (one == a && other == b) || (one == b && other == a);
    if (name.first != tenant || !theirs || between.apart == apart) continue;
    between.apart = apart;
    changed.push_back(name);
  }
  return changed;
}

const UserId* Apart::HiddenFrom(const ThreadName& thread, const UserId& user) const {
  const auto found = threads_.find(thread);
  if (found == threads_.end() || !found->second.apart) return nullptr;
  const auto& [one, other] = found->second.parties;
  if (user == one) return &other;
  return user == other ? &one : nullptr;
}

}  // namespace parley::gateway
