#include "accounts/limits/similar_starts.h"

#include <algorithm>
#include <bit>

#include "protocol/base/reason.h"

namespace parley::accounts {
namespace {

using protocol::Error;
using protocol::Reason;

constexpr size_t kGram = 4;     // characters per piece
constexpr int kBitsApart = 15;  // out of 64; unrelated texts are 32 apart, give or take 12

uint64_t Mix(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Letters only, in one case; characters outside of ASCII unchanged. All numbers count as equal.
std::string Essence(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kSimilarBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= 'A' && c <= 'Z') {
      out += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || byte >= 0x80) {
      out += c;
    } else if (c >= '0' && c <= '9' && !out.ends_with('0')) {
      out += '0';
    }
  }
  return out;
}

}  // namespace

// A simhash: each bit is the one that most of the text's pieces have there.
uint64_t FingerprintOf(std::string_view text) {
  const std::string essence = Essence(text);
  std::array<int, 64> votes{};
  const size_t pieces = essence.size() < kGram ? 1 : essence.size() - kGram + 1;
  for (size_t i = 0; i < pieces; ++i) {
    uint64_t piece = 0;
    for (const char c : std::string_view(essence).substr(i, kGram))
      piece = piece << 8 | static_cast<unsigned char>(c);
    piece = Mix(piece);
    for (size_t bit = 0; bit < 64; ++bit) votes[bit] += (piece >> bit) & 1 ? 1 : -1;
  }
  uint64_t out = 0;
  for (size_t bit = 0; bit < 64; ++bit) out |= uint64_t{votes[bit] > 0} << bit;
  return out;
}

bool AreSimilar(uint64_t a, uint64_t b) {
  return std::popcount(a ^ b) <= kBitsApart;
}

protocol::Status SimilarStarts::Take(const std::string& author, std::string_view text, int64_t now_ms) {
  const uint64_t fingerprint = FingerprintOf(text);
  protocol::MutexLock lock(&mutex_);
  auto found = authors_.find(author);
  if (found == authors_.end()) {
    while (!by_age_.empty() && authors_.size() >= most_) {
      authors_.erase(by_age_.front());
      by_age_.pop_front();
    }
    found = authors_.emplace(author, Author()).first;
    found->second.age = by_age_.insert(by_age_.end(), author);
  } else {
    by_age_.splice(by_age_.end(), by_age_, found->second.age);
  }
  std::list<Sent>& sent = found->second.sent;
  std::erase_if(sent, [&](const Sent& one) { return one.at_ms + kSimilarMs <= now_ms; });
  size_t alike = 0;
  int64_t room_at_ms = now_ms;
  for (auto one = sent.rbegin(); one != sent.rend(); ++one) {
    if (!AreSimilar(one->fingerprint, fingerprint)) continue;
    if (++alike == kSimilarMost) room_at_ms = one->at_ms + kSimilarMs;
  }
  if (alike >= kSimilarMost) {
    Error error = ErrorFor(Reason::kSimilarStarts, "the same was just written to others");
    error.retry_after_ms = room_at_ms - now_ms;
    error.rate_limit = static_cast<int64_t>(kSimilarMost);
    return error;
  }
  sent.push_back({fingerprint, now_ms});
  if (sent.size() > kSimilarKept) sent.pop_front();
  return protocol::Ok();
}

void SimilarStarts::GiveBack(const std::string& author, std::string_view text) {
  const uint64_t fingerprint = FingerprintOf(text);
  protocol::MutexLock lock(&mutex_);
  const auto found = authors_.find(author);
  if (found == authors_.end()) return;
  std::list<Sent>& sent = found->second.sent;
  const auto last = std::find_if(sent.rbegin(), sent.rend(),
                                 [&](const Sent& one) { return one.fingerprint == fingerprint; });
  if (last != sent.rend()) sent.erase(std::next(last).base());
}

size_t SimilarStarts::size() const {
  protocol::MutexLock lock(&mutex_);
  return authors_.size();
}

}  // namespace parley::accounts
