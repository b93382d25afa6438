#include "accounts/records/use_notes.h"

namespace parley::accounts {

bool UseNotes::IsDue(const std::string& key, protocol::Time now) {
  protocol::MutexLock lock(&mutex_);
  const auto found = noted_ms_.find(key);
  if (found != noted_ms_.end() && now.ms - found->second < kEveryMs) return false;
  if (found == noted_ms_.end() && noted_ms_.size() >= kKeysMax) noted_ms_.clear();
  noted_ms_[key] = now.ms;
  return true;
}

}  // namespace parley::accounts
