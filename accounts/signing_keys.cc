#include "accounts/signing_keys.h"

#include <utility>

namespace parley::accounts {

std::optional<std::string> SigningKeys::Find(std::string_view credential) {
  protocol::MutexLock lock(&mutex_);
  if (const auto found = newer_.find(credential); found != newer_.end()) return found->second;
  const auto found = older_.find(credential);
  if (found == older_.end()) return std::nullopt;
  std::string key = found->second;
  AddLocked(std::string(credential), key);
  return key;
}

void SigningKeys::Add(const std::string& credential, const std::string& signing_key) {
  protocol::MutexLock lock(&mutex_);
  AddLocked(credential, signing_key);
}

void SigningKeys::AddLocked(const std::string& credential, const std::string& signing_key) {
  if (newer_.size() >= kGeneration) older_ = std::exchange(newer_, {});
  newer_.emplace(credential, signing_key);
}

size_t SigningKeys::size() const {
  protocol::MutexLock lock(&mutex_);
  return newer_.size() + older_.size();
}

}  // namespace parley::accounts
