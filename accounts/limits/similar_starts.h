// Who writes the same to many: of near-identical first messages of one author, kSimilarMost may begin
// conversations within kSimilarMs; then there is a cool-down, until the oldest of them is that long ago.
//
// Two texts are near-identical if most of what they are made of is the same, whatever their case, spaces,
// punctuation and numbers. What is kept of one is a fingerprint of 64 bits over the text's beginning; of an
// author the last kSimilarKept. It is in memory only: a restart forgets the last minute.
//
// Thread contract: any thread.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "protocol/base/mutex.h"
#include "protocol/base/result.h"

namespace parley::accounts {

inline constexpr int64_t kSimilarMs = 60'000;
inline constexpr size_t kSimilarMost = 2;
inline constexpr size_t kSimilarKept = 32;
inline constexpr size_t kSimilarBytes = 2048;  // of a text that are looked at

uint64_t FingerprintOf(std::string_view text);
bool AreSimilar(uint64_t a, uint64_t b);

class SimilarStarts {
 public:
  explicit SimilarStarts(size_t authors_max = 50'000) : most_(authors_max) {}

  // RATE_LIMITED with the time until there is room; otherwise the text counts.
  protocol::Status Take(const std::string& author, std::string_view text, int64_t now_ms);
  // It did not begin anything after all.
  void GiveBack(const std::string& author, std::string_view text);
  size_t size() const;

 private:
  struct Sent {
    uint64_t fingerprint;
    int64_t at_ms;
  };
  struct Author {
    std::list<Sent> sent;  // oldest first
    std::list<std::string>::iterator age;
  };
  const size_t most_;
  mutable protocol::Mutex mutex_;
  std::unordered_map<std::string, Author> authors_ GUARDED_BY(mutex_);
  std::list<std::string> by_age_ GUARDED_BY(mutex_);  // who wrote longest ago first
};

}  // namespace parley::accounts
