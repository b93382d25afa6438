#include "fanout/watermark.h"

#include <algorithm>
#include <vector>

namespace parley::fanout {

storage::Position Watermark::position() const {
  protocol::MutexLock lock(&mutex_);
  return position_;
}

Watermark::Token Watermark::WhenAt(storage::Position position, std::function<void()> reached) {
  {
    protocol::MutexLock lock(&mutex_);
    if (position > position_) {
      const Token token{position, ++last_};
      waiting_.emplace(token, std::move(reached));
      return token;
    }
  }
  reached();
  return {};
}

void Watermark::Forget(const Token& token) {
  protocol::MutexLock lock(&mutex_);
  waiting_.erase(token);
}

void Watermark::Advance(storage::Position position) {
  std::vector<std::function<void()>> reached;
  {
    protocol::MutexLock lock(&mutex_);
    position_ = std::max(position_, position);
    const auto end = waiting_.lower_bound({position_ + 1, 0});
    for (auto at = waiting_.begin(); at != end; ++at) reached.push_back(std::move(at->second));
    waiting_.erase(waiting_.begin(), end);
  }
  for (auto& call : reached) call();
}

bool Watermark::awaited() const {
  protocol::MutexLock lock(&mutex_);
  return !waiting_.empty();
}

}  // namespace parley::fanout
