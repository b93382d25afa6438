#include "threads/engine/tracer.h"

#include <algorithm>
#include <limits>

namespace parley::threads {
namespace {

constexpr int64_t kNeverMs = std::numeric_limits<int64_t>::max();
constexpr size_t kIdBytesMax = 128;
constexpr std::string_view kKeys[] = {"thread=", "user=", "session="};

std::string_view OrDash(std::string_view text) {
  return text.empty() ? "-" : text;
}

}  // namespace

std::string Tracer::FaultOf(std::string_view what) {
  for (const std::string_view key : kKeys) {
    if (!what.starts_with(key)) continue;
    const std::string_view id = what.substr(key.size());
    const bool sound = key == kKeys[0]   ? ThreadId::FromText(id).has_value()
                       : key == kKeys[1] ? protocol::UserId::FromText(id).has_value()
                                         : id.starts_with("ses_") && id.size() <= kIdBytesMax;
    return sound ? "" : "is not a valid id after " + std::string(key);
  }
  return "must be thread=…, user=… or session=…";
}

protocol::Result<Tracer::Rule> Tracer::Add(const std::string& what, std::optional<int64_t> seconds) {
  if (const std::string why = FaultOf(what); !why.empty()) return protocol::Error::BadField("what", why);
  if (seconds && (*seconds < 1 || *seconds > kSecondsMax))
    return protocol::Error::BadField("seconds", "must be from 1 to " + std::to_string(kSecondsMax));
  protocol::MutexLock lock(&mutex_);
  DropEnded();
  std::erase_if(rules_, [&](const Kept& kept) { return kept.rule.what == what; });
  if (rules_.size() >= kRulesMax) return protocol::Error::BadRequest("too many traces: remove one first");
  const Rule rule{++next_id_, what, seconds};
  rules_.push_back({rule, seconds ? clock_.MonotonicMs() + *seconds * 1000 : kNeverMs});
  rule_count_ = rules_.size();
  return rule;
}

bool Tracer::Remove(int64_t id) {
  protocol::MutexLock lock(&mutex_);
  DropEnded();
  const size_t removed = std::erase_if(rules_, [&](const Kept& kept) { return kept.rule.id == id; });
  rule_count_ = rules_.size();
  return removed > 0;
}

std::vector<Tracer::Rule> Tracer::List() {
  protocol::MutexLock lock(&mutex_);
  DropEnded();
  std::vector<Rule> out;
  for (const Kept& kept : rules_) {
    out.push_back(kept.rule);
    if (kept.rule.seconds) out.back().seconds = (kept.ends_ms - clock_.MonotonicMs() + 999) / 1000;
  }
  return out;
}

void Tracer::DropEnded() {
  const int64_t now_ms = clock_.MonotonicMs();
  std::erase_if(rules_, [&](const Kept& kept) { return kept.ends_ms <= now_ms; });
  rule_count_ = rules_.size();
}

bool Tracer::Matches(std::string_view key, std::string_view id) {
  if (id.empty()) return false;
  return std::any_of(rules_.begin(), rules_.end(), [&](const Kept& kept) {
    const std::string_view what = kept.rule.what;
    return what.size() == key.size() + id.size() && what.starts_with(key) && what.ends_with(id);
  });
}

TracePtr Tracer::Begin(const Request& request, const std::function<std::string()>& corr_id) {
  if (!on()) return nullptr;
  {
    protocol::MutexLock lock(&mutex_);
    DropEnded();
    const bool traced = Matches("thread=", request.thread) || Matches("user=", request.user) ||
                        Matches("session=", request.session);
    if (!traced) return nullptr;
  }
  auto trace = std::make_shared<const Trace>(Trace{corr_id(), request.received});
  LogStep(*trace, "received",
          {{"op", OrDash(request.op)},
           {"bytes", request.bytes},
           {"session", OrDash(request.session)},
           {"user", OrDash(request.user)},
           {"thread", OrDash(request.thread)}});
  return trace;
}

TracePtr Tracer::Of(const ThreadId& thread) {
  if (!on()) return nullptr;
  protocol::MutexLock lock(&mutex_);
  DropEnded();
  return Matches("thread=", thread.ToText()) ? std::make_shared<const Trace>(Trace{"-"}) : nullptr;
}

void Tracer::OnCommitted(const TracePtr& trace, const ThreadId& thread, storage::Position position) {
  LogStep(*trace, "committed", {{"position", position}, {"thread", thread.ToText()}});
  protocol::MutexLock lock(&mutex_);
  if (awaiting_.size() == kAwaitingMax) awaiting_.pop_front();
  awaiting_.push_back({trace, position});
  awaiting_count_ = awaiting_.size();
  LogProjected();  // the projection may have been faster
}

// Stores the position before it reads the count, and OnCommitted does it in the other order: so one of them
// sees the other.
void Tracer::OnProjected(storage::Position through) {
  projected_ = through;
  if (awaiting_count_ == 0) return;
  protocol::MutexLock lock(&mutex_);
  LogProjected();
}

void Tracer::LogProjected() {
  const storage::Position through = projected_;
  for (; !awaiting_.empty() && awaiting_.front().position <= through; awaiting_.pop_front())
    LogStep(*awaiting_.front().trace, "projected", {{"position", awaiting_.front().position}});
  awaiting_count_ = awaiting_.size();
}

}  // namespace parley::threads
