// Follows requests through the server: chooses those of traced threads, users and sessions, and logs one line
// for each step (trace.h). A request costs one relaxed load while nothing is traced.
//
// Thread contract: any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/clock.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"
#include "storage/table.h"
#include "threads/model/keys.h"
#include "threads/model/trace.h"

namespace parley::threads {

class Tracer {
 public:
  static constexpr size_t kRulesMax = 32;
  static constexpr int64_t kSecondsMax = 24 * 3600;

  struct Rule {
    int64_t id = 0;
    std::string what;                // "thread=…", "user=…" or "session=…"
    std::optional<int64_t> seconds;  // until it ends; nullopt: never
  };
  struct Request {
    std::string_view op, thread, user, session;  // empty: unknown
    size_t bytes = 0;
    std::chrono::steady_clock::time_point received;
  };

  explicit Tracer(const protocol::Clock& clock) : clock_(clock) {}

  // Returns the error in a rule's text; empty: none.
  static std::string FaultOf(std::string_view what);
  // Replaces the rule of the same text. A user of this name is traced in every tenant.
  protocol::Result<Rule> Add(const std::string& what, std::optional<int64_t> seconds);
  bool Remove(int64_t id);  // false: there is no such rule
  std::vector<Rule> List();

  bool on() const { return rule_count_.load(std::memory_order_relaxed) > 0; }
  // Logs the arrival of a request that a rule matches. Otherwise returns nullptr, without a call of
  // `corr_id`.
  TracePtr Begin(const Request& request, const std::function<std::string()>& corr_id);
  // For a change that no traced request made; nullptr: the thread is not traced.
  TracePtr Of(const ThreadId& thread);

  // Call before the change is delivered.
  void OnCommitted(const TracePtr& trace, const ThreadId& thread, storage::Position position);
  void OnProjected(storage::Position through);  // inboxes include all changes up to here

 private:
  static constexpr size_t kAwaitingMax = 1000;  // the oldest lose their last line
  struct Kept {
    Rule rule;
    int64_t ends_ms;
  };
  struct Awaiting {
    TracePtr trace;
    storage::Position position;
  };
  bool Matches(std::string_view key, std::string_view id) REQUIRES(mutex_);
  void DropEnded() REQUIRES(mutex_);
  void LogProjected() REQUIRES(mutex_);

  const protocol::Clock& clock_;
  std::atomic<size_t> rule_count_{0}, awaiting_count_{0};
  std::atomic<storage::Position> projected_{0};
  protocol::Mutex mutex_;
  int64_t next_id_ GUARDED_BY(mutex_) = 0;
  std::vector<Kept> rules_ GUARDED_BY(mutex_);
  std::deque<Awaiting> awaiting_ GUARDED_BY(mutex_);  // their projection, in the order of commits
};

}  // namespace parley::threads
