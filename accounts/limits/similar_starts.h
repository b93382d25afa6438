// Limits near-identical first messages: at most kSimilarMost of them by one author may begin conversations
// within kSimilarMs; then the author must wait until the oldest is that long ago.
//
// Two texts are near-identical if most of their pieces are the same, whatever their case, spaces, punctuation
// and numbers. Keeps a fingerprint of 64 bits of each text's beginning, and the last kSimilarKept of each
// author. In memory only: a restart forgets the last minute.
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
inline constexpr size_t kSimilarBytes = 2048;  // the examined beginning of a text

uint64_t FingerprintOf(std::string_view text);
bool AreSimilar(uint64_t a, uint64_t b);

class SimilarStarts {
 public:
  explicit SimilarStarts(size_t authors_max = 50'000) : most_(authors_max) {}

  // Returns RATE_LIMITED with the time to wait; otherwise counts the text.
  protocol::Status Take(const std::string& author, std::string_view text, int64_t now_ms);
  // Reverts Take: the text did not begin a conversation.
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
  std::list<std::string> by_age_ GUARDED_BY(mutex_);  // authors, least recent first
};

}  // namespace parley::accounts
