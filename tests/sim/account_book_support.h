// The known facts about the simulated tenants and their accounts: each fact as it was acknowledged, or as a
// request without an answer would set it. Facts that are certain decide which requests the server must
// reject, and which it must serve.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accounts/tokens/refresh_token.h"

namespace parley::sim {

// One value that requests change, one request at a time.
class Fact {
 public:
  explicit Fact(std::string now) : now_(std::move(now)) {}

  bool Is(std::string_view value) const { return !asked_ && now_ == value; }
  bool certain() const { return !asked_; }
  bool busy() const { return busy_; }
  const std::string& now() const { return now_; }
  const std::optional<std::string>& asked() const { return asked_; }
  size_t changes() const { return changes_; }

  void Ask(std::string value) {
    asked_ = std::move(value);
    busy_ = true;
    Change();
  }
  void Acknowledged() {
    if (asked_) now_ = *std::exchange(asked_, std::nullopt);
    busy_ = false;
    Change();
  }
  void Refused() {
    asked_.reset();
    busy_ = false;
    Change();
  }
  // The outcome is unknown, and the answer will not come.
  void Lost() {
    busy_ = false;
    Change();
  }
  // Takes the value that the store has after a start: as acknowledged, or as requested. Returns false if it
  // is any other.
  bool Learn(const std::string& found) {
    const bool may_be = found == now_ || found == asked_;
    now_ = found;
    asked_.reset();
    busy_ = false;
    Change();
    io_threads_ = ~0U;
    return may_be;
  }

  // The I/O thread has done all work that was pending when the value was acknowledged.
  void ReachedIoThread(size_t io) { io_threads_ |= 1U << io; }
  bool HoldsOn(std::string_view value, size_t io) const { return Is(value) && (io_threads_ >> io & 1U) != 0; }

 private:
  void Change() {
    ++changes_;
    io_threads_ = 0;
  }
  std::string now_;
  std::optional<std::string> asked_;
  bool busy_ = false;
  size_t changes_ = 0;
  uint32_t io_threads_ = 0;
};

// All tokens that come from one sign-in. Its state: live or void.
struct KnownFamily {
  Fact state{"live"};
  accounts::Grant grant;
  std::string refresh;  // the token to use next
  std::string used;     // the one before it, or empty
  // A renewal under way, or with an unknown outcome: one token presented, by one device or by two at once.
  struct Renewal {
    std::string token;
    std::vector<std::string> nexts;  // the possible next tokens
    size_t waits = 0, wins = 0, repeats = 0, losses = 0;
    bool graceful = false;        // a second use returns the same answer as the first
    bool used_before = false;     // an earlier renewal used the token
    int64_t since_ms = 0;         // when it was presented first
    bool lost = false;            // an answer without a decision
    std::optional<size_t> there;  // after a crash: the number of `nexts` in the store
  };
  std::optional<Renewal> renewal;
};

struct KnownKey {
  Fact state{"active"};
  std::string id, secret;
};

enum class Verdict : uint8_t { kUnsure, kOpen, kShut };

// The answer that a request must get now; certain only until the next change. A void credential stays void.
struct Expectation {
  Verdict verdict = Verdict::kUnsure;
  bool void_for_good = false;
  size_t changes = 0;
  int64_t clock_off_ms = 0;
};

// A message from its first request until the end of the run.
struct Said {
  std::string author, client_id, body;
  bool acknowledged = false;
  std::string message_id;
};

// The thread in which the users of a tenant talk.
struct Room {
  std::string thread;  // from the answer; empty until then
  std::deque<Said> said;
};

}  // namespace parley::sim
