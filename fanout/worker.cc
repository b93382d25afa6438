#include "fanout/worker.h"

#include <algorithm>
#include <chrono>

#include "fanout/renewal.h"
#include "protocol/base/log.h"

namespace parley::fanout {

namespace {
constexpr int64_t kGatherMostMs = 1000;
constexpr size_t kAsideShown = 5;
constexpr size_t kRepairsWaiting = 64;
constexpr size_t kRenewedTogether = 64;                       // threads
constexpr auto kRetryAfter = std::chrono::milliseconds(200);  // after storage failed
}  // namespace

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

struct Worker::Runner {
  std::unique_ptr<Projection> projection;
  storage::Position cursor = 0;  // looked at
  storage::Position saved = 0;   // on disk
  size_t pass_entries = 0;       // taken together at most
  std::deque<Renewal> renewals;  // of tenants
  size_t renewed_together = kRenewedTogether;
  std::map<ThreadName, std::string> aside;  // and why
  std::atomic<size_t> aside_count{0};
  Watermark watermark;
  protocol::Counter entries, threads, rows;
  protocol::Histogram coalesced;
};

Worker::Worker(storage::Table& table, WorkerSettings settings, NoticeSink& notices,
               protocol::Metrics& metrics)
    : table_(table), settings_(settings), notices_(notices), metrics_(metrics) {}

Worker::~Worker() = default;

void Worker::Add(std::unique_ptr<Projection> projection) {
  auto runner = std::make_unique<Runner>();
  const protocol::Labels labels = {{"projection", std::string(projection->name())}};
  runner->entries =
      metrics_.AddCounter("parley_projection_entries_total", "Change-log entries looked at", labels);
  runner->threads =
      metrics_.AddCounter("parley_projection_threads_total", "Threads projected, each once per pass", labels);
  runner->rows =
      metrics_.AddCounter("parley_projection_rows_total", "Derived rows written or deleted", labels);
  runner->coalesced =
      metrics_.AddHistogram("parley_projection_pass_entries", "Change-log entries taken together in a pass",
                            {1, 4, 16, 64, 256, 1024, 4096}, labels);
  metrics_.AddReadGauge(
      "parley_projection_lag", "Change-log entries the projection has yet to look at",
      [this, watermark = &runner->watermark] {
        const auto last = table_.LastPosition(), at = watermark->position();
        return last > at ? static_cast<double>(last - at) : 0.0;
      },
      labels);
  metrics_.AddReadGauge(
      "parley_projection_threads_aside", "Threads passed over because a row of theirs cannot be read",
      [count = &runner->aside_count] { return static_cast<double>(count->load()); }, labels);
  runner->pass_entries = settings_.pass_entries;
  runner->projection = std::move(projection);
  runners_.push_back(std::move(runner));
}

storage::Status Worker::Open(const std::vector<TenantId>& tenants) {
  for (auto& runner : runners_) {
    if (auto status = OpenRunner(*runner); !status.ok()) return status;
  }
  Upkeep upkeep;
  for (const TenantId& tenant : tenants) {
    if (auto status = ReadUpkeep(table_, tenant, &upkeep); !status.ok()) return status;
    for (auto& runner : runners_) {
      const int64_t version = runner->projection->version();
      Renewal renewal;
      if (auto status = ReadRenewal(table_, runner->projection->name(), tenant, &renewal); !status.ok())
        return status;
      if (renewal.version == version && renewal.done) continue;
      if (renewal.version != version) renewal = {tenant, version, std::nullopt, false};
      std::vector<ThreadId> first;
      if (auto status = ThreadsAfter(table_, tenant, std::nullopt, 1, &first); !status.ok()) return status;
      renewal.done = first.empty();
      if (!renewal.done) {
        runner->renewals.push_back(std::move(renewal));
        continue;
      }
      const storage::DerivedWrite write = RenewalWrite(runner->projection->name(), renewal);
      if (auto status = table_.Apply({&write, 1}, runner->projection->name(), runner->cursor); !status.ok())
        return status;
    }
  }
  std::set<ThreadName> again;
  for (AsideThread& one : upkeep.aside) {
    const ThreadName name{one.tenant, one.thread};
    for (auto& runner : runners_) {
      if (runner->projection->name() == one.projection) runner->aside[name] = std::move(one.why);
    }
    again.insert(name);
  }
  PublishAside();
  protocol::MutexLock lock(&mutex_);
  for (const auto& [tenant, thread] : again) repairs_.push_back({tenant, thread, {}, {}, {}});
  return {};
}

// A projection whose rows lack what is not in the log any more would be wrong for ever and not know it.
storage::Status Worker::OpenRunner(Runner& runner) const {
  const std::string name(runner.projection->name());
  if (auto status = table_.ReadCursor(name, &runner.cursor); !status.ok()) return status;
  storage::Position next = 0;
  const auto status = table_.ReadLog(runner.cursor, 1, [&](storage::Position position, std::string_view) {
    next = position;
    return false;
  });
  if (!status.ok()) return status;
  const storage::Position last = table_.LastPosition();
  if (next == 0) next = last + 1;  // everything that was is trimmed, or looked at
  if (runner.cursor > last || next != runner.cursor + 1) {
    return {storage::StatusCode::kCorrupt,
            "the projection " + name + " has looked at the change log up to " +
                std::to_string(runner.cursor) + ", which " +
                (runner.cursor > last ? "ends at " + std::to_string(last)
                                      : "begins at " + std::to_string(next) + ": what lies between is lost") +
                ". Restore the store from a backup"};
  }
  runner.saved = runner.cursor;
  runner.watermark.Advance(runner.cursor);
  return {};
}

// What the log tells of a pass.
struct Worker::Pass {
  DirtyThreads dirty;
  storage::Position last = 0;
  size_t entries = 0;
  Projected projected;
  std::map<ThreadName, std::string> aside;  // cannot be read: why
  std::set<ThreadName> back;                // was set aside and can be read again
};

namespace {

void Gather(Projected one, Projected* all) {
  const auto move = [](auto& from, auto* to) {
    to->insert(to->end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move(one.ahead, &all->ahead);
  move(one.writes, &all->writes);
  move(one.notices, &all->notices);
  if (one.wake) all->wake = all->wake ? std::min(*all->wake, *one.wake) : one.wake;
}

}  // namespace

// Each says what went wrong; empty: nothing.
std::string Worker::ReadDirty(const Runner& runner, Pass* pass) const {
  pass->last = runner.cursor;
  bool sound = true;
  const auto status = table_.ReadLog(runner.cursor, runner.pass_entries,
                                     [&](storage::Position position, std::string_view bytes) {
                                       threads::ChangeEntry entry;
                                       sound = threads::DecodeChangeEntry(bytes, &entry);
                                       if (!sound) return false;
                                       Dirty& thread = pass->dirty[{entry.tenant, entry.thread}];
                                       if (entry.personal) thread.personal.insert(*entry.personal);
                                       if (const auto& several = entry.several.value)
                                         thread.personal.insert(several->items.begin(), several->items.end());
                                       thread.changed |= entry.changed;
                                       pass->last = position;
                                       ++pass->entries;
                                       return true;
                                     });
  return !status.ok() ? status.detail : sound ? "" : "a change-log entry can not be read";
}

std::string Worker::Project(Runner& runner, Pass* pass) const {
  const storage::Snapshot snapshot = table_.NewSnapshot();
  runner.projection->Begin();
  size_t rows = 0;
  for (const auto& [key, what] : pass->dirty) {
    // What it was set aside with is not known any more, so all of it is looked at.
    const bool was_aside = runner.aside.contains(key);
    Projected one;
    const auto done = runner.projection->Project(*snapshot, key.first, key.second,
                                                 was_aside ? Dirty{kEverything, {}} : what, &one);
    if (!done.ok() && done.error().code != protocol::ErrorCode::kInternal) return done.error().message;
    if (!done.ok()) {
      pass->aside[key] = done.error().message;
      continue;
    }
    if (was_aside) pass->back.insert(key);
    rows += one.rows();
    Gather(std::move(one), &pass->projected);
    if (TooLong(rows, *pass)) return {};
  }
  for (const auto& [key, why] : pass->aside) {
    if (!runner.aside.contains(key))
      pass->projected.writes.push_back(
          AsideWrite({std::string(runner.projection->name()), key.first, key.second, why}));
  }
  for (const auto& key : pass->back)
    pass->projected.writes.push_back(BackWrite(runner.projection->name(), key.first, key.second));
  const auto done = runner.projection->Finish(*snapshot, &pass->projected);
  return done.ok() ? "" : done.error().message;
}

// One thread alone can not be made less of.
bool Worker::TooLong(size_t rows, const Pass& pass) const {
  return rows > settings_.pass_rows && pass.dirty.size() > 1 && pass.entries > 1;
}

std::string Worker::Save(Runner& runner, const Pass& pass) {
  const bool save = !pass.projected.writes.empty() || pass.last - runner.saved >= settings_.save_cursor_every;
  if (!save || (pass.projected.writes.empty() && pass.last <= runner.saved)) return {};
  const auto apply = [&](const std::vector<storage::DerivedWrite>& rows, storage::Position cursor) {
    const auto status = table_.Apply(rows, runner.projection->name(), cursor);
    return status.ok() ? "" : status.detail.empty() ? "storage refuses derived rows" : status.detail;
  };
  for (const auto& piece : pass.projected.ahead) {
    if (std::string failure = apply(piece, runner.saved); !failure.empty()) return failure;
  }
  std::string failure = apply(pass.projected.writes, pass.last);
  if (failure.empty()) runner.saved = pass.last;
  return failure;
}

void Worker::Report(Runner& runner, Pass& pass) {
  runner.cursor = pass.last;
  passes_.fetch_add(1, std::memory_order_release);
  runner.entries.Add(static_cast<double>(pass.entries));
  runner.threads.Add(static_cast<double>(pass.dirty.size()));
  runner.rows.Add(static_cast<double>(pass.projected.rows()));
  runner.coalesced.Observe(static_cast<double>(pass.entries));
  NoteAside(runner, pass);
  Tell(runner, pass);
  runner.watermark.Advance(pass.last);
}

void Worker::Tell(const Runner& runner, Pass& pass) {
  if (runner.projection->notifies()) notices_.OnEntries(std::move(pass.projected.notices), pass.last);
  if (pass.projected.wake) notices_.OnWake(*pass.projected.wake);
}

// After what says so was written.
void Worker::NoteAside(Runner& runner, const Pass& pass) {
  if (pass.aside.empty() && pass.back.empty()) return;
  const auto log = [&](protocol::LogLevel level, std::string_view what, const ThreadName& thread,
                       std::string_view why) {
    protocol::Log(level, "fanout", what,
                  {{"projection", runner.projection->name()},
                   {"tenant", thread.first.value.text()},
                   {"thread", thread.second.ToText()},
                   {"why", why}});
  };
  for (const auto& [thread, why] : pass.aside) {
    if (runner.aside.emplace(thread, why).second)
      log(protocol::LogLevel::kError, "a thread is set aside", thread, why);
  }
  for (const ThreadName& thread : pass.back) {
    runner.aside.erase(thread);
    log(protocol::LogLevel::kInfo, "a thread that was set aside is read again", thread, "");
  }
  PublishAside();
}

void Worker::PublishAside() {
  Aside now;
  for (const auto& runner : runners_) {
    runner->aside_count = runner->aside.size();
    now.threads += runner->aside.size();
    for (const auto& [thread, why] : runner->aside) {
      if (now.first.size() == kAsideShown) break;
      now.first.push_back({std::string(runner->projection->name()), thread.first, thread.second, why});
    }
  }
  protocol::MutexLock lock(&mutex_);
  aside_ = std::move(now);
}

Worker::Aside Worker::aside() const {
  protocol::MutexLock lock(&mutex_);
  return aside_;
}

void Worker::SetFailure(const Runner& runner, const std::string& failure) {
  protocol::MutexLock lock(&mutex_);
  if (failure.empty()) {
    failures_.erase(&runner);
    return;
  }
  std::string& known = failures_[&runner];
  if (known != failure) {
    protocol::Log(protocol::LogLevel::kError, "fanout", "projection stopped",
                  {{"projection", runner.projection->name()}, {"why", failure}});
  }
  known = failure;
}

bool Worker::StepOne(Runner& runner) {
  Pass pass;
  std::string failure = ReadDirty(runner, &pass);
  if (failure.empty() && pass.entries > 0) failure = Project(runner, &pass);
  if (failure.empty() && TooLong(pass.projected.rows(), pass)) {
    runner.pass_entries = pass.entries / 2;
    return true;
  }
  if (failure.empty()) failure = Save(runner, pass);
  SetFailure(runner, failure);
  if (!failure.empty() || pass.entries == 0) return false;
  runner.pass_entries = std::min(2 * runner.pass_entries, settings_.pass_entries);
  Report(runner, pass);
  return true;
}

bool Worker::Repair(RepairOrder order) {
  protocol::MutexLock lock(&mutex_);
  if (repairs_.size() >= kRepairsWaiting) return false;
  repairs_.push_back(std::move(order));
  woken_ = true;
  if (idle_) wake_.Signal();
  return true;
}

bool Worker::StepRepair() {
  RepairOrder order;
  {
    protocol::MutexLock lock(&mutex_);
    if (repairs_.empty()) return false;
    order = std::move(repairs_.front());
    repairs_.pop_front();
    repairing_ = true;
  }
  // The places first, then the inboxes in which something may stand elsewhere.
  for (auto& runner : runners_) {
    RepairIn(*runner, order, /*rebuild=*/false);
    if (!order.what.empty()) RepairIn(*runner, order, /*rebuild=*/true);
  }
  protocol::MutexLock lock(&mutex_);
  repairing_ = false;
  return true;
}

bool Worker::StepRenewal() {
  return std::any_of(runners_.begin(), runners_.end(),
                     [this](const auto& runner) { return !runner->renewals.empty() && Renew(*runner); });
}

// Some threads of one tenant. False: it could not be done now. What it writes is news to nobody.
bool Worker::Renew(Runner& runner) {
  if (stopped(runner.projection->id())) return false;
  Renewal& renewal = runner.renewals.front();
  std::vector<ThreadId> threads;
  if (!ThreadsAfter(table_, renewal.tenant, renewal.after, runner.renewed_together, &threads).ok())
    return false;
  Pass pass;
  pass.last = runner.cursor;
  pass.entries = threads.size();
  for (const ThreadId& thread : threads) pass.dirty[{renewal.tenant, thread}].changed = kEverything;
  std::string failure = Project(runner, &pass);
  if (failure.empty() && TooLong(pass.projected.rows(), pass)) {
    runner.renewed_together = threads.size() / 2;
    return true;
  }
  Renewal next = renewal;
  next.done = threads.size() < runner.renewed_together;
  if (!threads.empty()) next.after = threads.back();
  pass.projected.notices.clear();
  pass.projected.writes.push_back(RenewalWrite(runner.projection->name(), next));
  if (failure.empty()) failure = Save(runner, pass);
  if (!failure.empty()) {
    SetFailure(runner, failure);
    return false;
  }
  NoteAside(runner, pass);
  Tell(runner, pass);
  if (next.done) {
    runner.renewals.pop_front();
  } else {
    renewal = std::move(next);
  }
  return true;
}

bool Worker::repairing() const {
  protocol::MutexLock lock(&mutex_);
  return repairing_ || !repairs_.empty();
}

// What fails is not tried again here: whoever found it finds it again.
void Worker::RepairIn(Runner& runner, const RepairOrder& order, bool rebuild) {
  Pass pass;
  pass.last = runner.cursor;
  std::string failure;
  if (rebuild) {
    const storage::Snapshot snapshot = table_.NewSnapshot();
    runner.projection->Begin();
    auto done = runner.projection->Rebuild(*snapshot, order, &pass.projected);
    if (done.ok()) done = runner.projection->Finish(*snapshot, &pass.projected);
    if (!done.ok()) failure = done.error().message;
  } else {
    pass.dirty[{order.tenant, order.thread}].changed = kEverything;
    failure = Project(runner, &pass);
  }
  if (failure.empty() && !rebuild && !order.what.empty() && &runner == runners_.front().get())
    failure = RecordRepair(table_, order.tenant, order.at, order.what, &pass.projected.writes).detail;
  if (failure.empty()) failure = Save(runner, pass);
  if (!failure.empty()) {
    protocol::Log(protocol::LogLevel::kError, "fanout", "a repair failed",
                  {{"projection", runner.projection->name()}, {"why", failure}});
    return;
  }
  NoteAside(runner, pass);
  Tell(runner, pass);
}

bool Worker::CatchUp() {
  bool worked = StepRepair();
  for (auto& runner : runners_) worked |= StepOne(*runner);
  if (worked) MaybeTrim();
  return worked;
}

bool Worker::Step() {
  return CatchUp() || StepRenewal();
}

// The log is kept as long as some projection may read it again after a crash, and not much longer.
void Worker::MaybeTrim() {
  storage::Position through = table_.LastPosition();
  if (through > 0) --through;  // the newest entry stays: it tells which position comes next
  for (const auto& runner : runners_) through = std::min(through, runner->saved);
  if (through < trimmed_ + settings_.trim_every) return;
  if (table_.TrimLog(through).ok()) trimmed_ = through;
}

void Worker::Run() {
  for (bool stopping = false; !stopping;) {
    const auto began = std::chrono::steady_clock::now();
    const bool worked = Step();
    const bool awaited = Awaited();
    protocol::MutexLock lock(&mutex_);
    if (!worked || !awaited) Rest(began, worked);
    woken_ = hurried_ = false;
    stopping = stopping_;
  }
  while (CatchUp()) {  // what is renewed goes on after the next start
  }
  SaveCursors();
}

void Worker::Rest(std::chrono::steady_clock::time_point began, bool worked) {
  using Clock = std::chrono::steady_clock;
  if (worked) {
    // A long pass (a thread of thousands) is followed by a longer one's worth of gathering: what nobody
    // waits for takes a quarter of a processor at most.
    const auto rest = std::clamp<Clock::duration>(4 * (Clock::now() - began),
                                                  std::chrono::milliseconds(settings_.gather_ms),
                                                  std::chrono::milliseconds(kGatherMostMs));
    const auto next = began + (settings_.gather_ms > 0 ? rest : Clock::duration::zero());
    while (!stopping_ && !hurried_ && wake_.WaitUntil(&mutex_, next)) {
    }
  } else if (failures_.empty()) {
    idle_ = true;
    while (!stopping_ && !woken_ && !hurried_) wake_.Wait(&mutex_);
    idle_ = false;
  } else {
    const auto next = Clock::now() + kRetryAfter;
    while (!stopping_ && wake_.WaitUntil(&mutex_, next)) {
    }
  }
}

bool Worker::Awaited() const {
  return std::any_of(runners_.begin(), runners_.end(),
                     [](const auto& runner) { return runner->watermark.awaited(); });
}

void Worker::SaveCursors() {
  for (auto& runner : runners_) {
    if (runner->saved == runner->cursor) continue;
    if (table_.Apply({}, runner->projection->name(), runner->cursor).ok()) runner->saved = runner->cursor;
  }
}

void Worker::Stop() {
  protocol::MutexLock lock(&mutex_);
  stopping_ = true;
  wake_.SignalAll();
}

void Worker::Wake() {
  protocol::MutexLock lock(&mutex_);
  woken_ = true;
  if (idle_) wake_.Signal();
}

Watermark::Token Worker::WhenAt(ProjectionId projection, storage::Position position,
                                std::function<void()> reached) {
  const auto token = watermark(projection).WhenAt(position, std::move(reached));
  protocol::MutexLock lock(&mutex_);
  hurried_ = true;
  wake_.Signal();
  return token;
}

Watermark& Worker::watermark(ProjectionId projection) {
  return RunnerOf(projection).watermark;
}

bool Worker::stopped(ProjectionId projection) const {
  const Runner& runner = RunnerOf(projection);
  protocol::MutexLock lock(&mutex_);
  return failures_.contains(&runner);
}

Worker::Runner& Worker::RunnerOf(ProjectionId projection) const {
  for (const auto& runner : runners_) {
    if (runner->projection->id() == projection) return *runner;
  }
  std::abort();  // nobody added it: our bug
}

std::string Worker::fault() const {
  protocol::MutexLock lock(&mutex_);
  return FaultLocked();
}

std::string Worker::FaultLocked() const {
  for (const auto& runner : runners_) {
    const auto found = failures_.find(runner.get());
    if (found != failures_.end()) return std::string(runner->projection->name()) + ": " + found->second;
  }
  return {};
}

}  // namespace parley::fanout
