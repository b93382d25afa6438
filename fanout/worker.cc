#include "fanout/worker.h"

#include <algorithm>
#include <chrono>

#include "fanout/renewal.h"
#include "fanout/worker_pass.h"
#include "protocol/base/log.h"
#include "storage/engine/item_change.h"

namespace parley::fanout {

namespace {
constexpr int64_t kGatherMostMs = 1000;
constexpr size_t kRenewedTogether = 64;                       // threads renewed at once
constexpr auto kRetryAfter = std::chrono::milliseconds(200);  // after storage failed
}  // namespace

Worker::Worker(storage::Table& table, WorkerSettings settings, NoticeSink& notices,
               protocol::Metrics& metrics)
    : table_(table), settings_(settings), notices_(notices), metrics_(metrics) {}

Worker::~Worker() = default;

void Worker::Add(std::unique_ptr<Projection> projection) {
  auto runner = std::make_unique<Runner>();
  const protocol::Labels labels = {{"projection", std::string(projection->name())}};
  runner->entries =
      metrics_.AddCounter("parley_projection_entries_total", "Change-log entries processed", labels);
  runner->threads =
      metrics_.AddCounter("parley_projection_threads_total", "Threads projected, each once per pass", labels);
  runner->rows =
      metrics_.AddCounter("parley_projection_rows_total", "Derived rows written or deleted", labels);
  runner->coalesced =
      metrics_.AddHistogram("parley_projection_pass_entries", "Change-log entries taken together in a pass",
                            {1, 4, 16, 64, 256, 1024, 4096}, labels);
  metrics_.AddReadGauge(
      "parley_projection_lag", "Change-log entries that the projection has not processed yet",
      [this, watermark = &runner->watermark] {
        const auto last = table_.LastPosition(), at = watermark->position();
        return last > at ? static_cast<double>(last - at) : 0.0;
      },
      labels);
  metrics_.AddReadGauge(
      "parley_projection_threads_aside", "Threads skipped because one of their rows cannot be read",
      [count = &runner->aside_count] { return static_cast<double>(count->load()); }, labels);
  runner->pass_entries = settings_.pass_entries;
  runner->renewed_together = kRenewedTogether;
  runner->projection = std::move(projection);
  runners_.push_back(std::move(runner));
}

storage::Status Worker::Open(const std::vector<TenantId>& tenants) {
  for (auto& runner : runners_) {
    if (auto status = OpenRunner(*runner); !status.ok()) return status;
  }
  for (LogFollower* follower : followers_) {
    if (auto status = follower->Open(); !status.ok()) return status;
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

// Fails if the projection missed trimmed entries: its rows would be wrong forever, without a symptom.
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
  if (next == 0) next = last + 1;  // all entries are trimmed or processed
  if (runner.cursor > last || next != runner.cursor + 1) {
    return {storage::StatusCode::kCorrupt, "the projection " + name + " has processed the change log up to " +
                                               std::to_string(runner.cursor) + ", but the log " +
                                               (runner.cursor > last ? "ends at " + std::to_string(last)
                                                                     : "begins at " + std::to_string(next) +
                                                                           ": the entries between are lost") +
                                               ". Restore the store from a backup"};
  }
  runner.saved = runner.cursor;
  runner.watermark.Advance(runner.cursor);
  return {};
}

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

// Records of staff's reads change no projected row.
bool IsRecordOnly(const threads::ChangeEntry& entry) {
  return entry.acts.value && entry.changed == 0 && !entry.personal && !entry.several.value;
}

}  // namespace

// Each returns its error, or "".
std::string Worker::ReadDirty(const Runner& runner, Pass* pass) const {
  pass->last = runner.cursor;
  bool sound = true;
  const auto status = table_.ReadLog(runner.cursor, runner.pass_entries,
                                     [&](storage::Position position, std::string_view bytes) {
                                       const bool items = storage::IsItemEntry(bytes);
                                       threads::ChangeEntry entry;
                                       sound = items || threads::DecodeChangeEntry(bytes, &entry);
                                       if (!sound) return false;
                                       pass->last = position;
                                       ++pass->entries;
                                       if (items || IsRecordOnly(entry)) return true;
                                       Dirty& thread = pass->dirty[{entry.tenant, entry.thread}];
                                       if (entry.personal) thread.personal.insert(*entry.personal);
                                       if (const auto& several = entry.several.value)
                                         thread.personal.insert(several->items.begin(), several->items.end());
                                       thread.changed |= entry.changed;
                                       return true;
                                     });
  return !status.ok() ? status.detail : sound ? "" : "a change-log entry cannot be read";
}

std::string Worker::Project(Runner& runner, Pass* pass) const {
  const storage::Snapshot snapshot = table_.NewSnapshot();
  runner.projection->Begin();
  size_t rows = 0;
  for (const auto& [key, what] : pass->dirty) {
    // The changes from before it was set aside are lost, so examine all of the thread.
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

// A pass of a single thread cannot be made smaller.
bool Worker::TooLong(size_t rows, const Pass& pass) const {
  return rows > settings_.pass_rows && pass.dirty.size() > 1 && pass.entries > 1;
}

std::string Worker::Save(Runner& runner, const Pass& pass) {
  const bool save = !pass.projected.writes.empty() || pass.last - runner.saved >= settings_.save_cursor_every;
  if (!save || (pass.projected.writes.empty() && pass.last <= runner.saved)) return {};
  const auto apply = [&](const std::vector<storage::DerivedWrite>& rows, storage::Position cursor) {
    const auto status = table_.Apply(rows, runner.projection->name(), cursor);
    return status.ok() ? "" : status.detail.empty() ? "storage rejected the derived rows" : status.detail;
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
  Notify(runner, pass);
  runner.watermark.Advance(pass.last);
}

void Worker::Notify(const Runner& runner, Pass& pass) {
  if (runner.projection->notifies()) notices_.OnEntries(std::move(pass.projected.notices), pass.last);
  if (pass.projected.wake) notices_.OnWake(*pass.projected.wake);
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

bool Worker::CatchUp() {
  bool worked = StepRepair();
  for (auto& runner : runners_) worked |= StepOne(*runner);
  for (LogFollower* follower : followers_) worked |= follower->Step();
  if (worked) MaybeTrim();
  return worked;
}

bool Worker::Step() {
  return CatchUp() || StepRenewal();
}

// Keeps the log while some projection may read it again after a crash, and not much longer.
void Worker::MaybeTrim() {
  storage::Position through = table_.LastPosition();
  if (through > 0) --through;  // keep the newest entry, which gives the next position
  for (const auto& runner : runners_) through = std::min(through, runner->saved);
  for (const LogFollower* follower : followers_) through = std::min(through, follower->saved());
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
    woken_ = hurried_ = pressed_ = false;
    if (Backlog* backlog = backlog_.load()) backlog->Begin();
    stopping = stopping_;
  }
  while (CatchUp()) {  // renewal continues after the next start
  }
  SaveCursors();
}

void Worker::Rest(std::chrono::steady_clock::time_point began, bool worked) {
  if (worked) {
    GatherMore(began);
  } else if (!MustRetry()) {
    idle_ = true;
    while (!stopping_ && !woken_ && !hurried_) wake_.Wait(&mutex_);
    idle_ = false;
  } else {
    const auto next = std::chrono::steady_clock::now() + kRetryAfter;
    while (!stopping_ && wake_.WaitUntil(&mutex_, next)) {
    }
    return;
  }
  if (woken_) BePatient();
}

// Gathers longer after a long pass (a thread with thousands of members), so that work for which no caller
// waits takes at most a quarter of a processor.
void Worker::GatherMore(std::chrono::steady_clock::time_point began) {
  using Clock = std::chrono::steady_clock;
  const auto rest =
      std::clamp<Clock::duration>(4 * (Clock::now() - began), std::chrono::milliseconds(settings_.gather_ms),
                                  std::chrono::milliseconds(std::max(settings_.gather_ms, kGatherMostMs)));
  const auto next = began + (settings_.gather_ms > 0 ? rest : Clock::duration::zero());
  while (!stopping_ && !hurried_ && wake_.WaitUntil(&mutex_, next)) {
  }
}

void Worker::BePatient() {
  const Backlog* backlog = backlog_.load();
  if (settings_.patience_ms == 0 || !backlog) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(settings_.patience_ms);
  patient_ = true;
  while (!stopping_ && !hurried_ && !pressed_ && !backlog->presses() && wake_.WaitUntil(&mutex_, until)) {
  }
  patient_ = false;
}

bool Worker::Awaited() const {
  return std::any_of(runners_.begin(), runners_.end(),
                     [](const auto& runner) { return runner->watermark.awaited(); }) ||
         std::any_of(followers_.begin(), followers_.end(),
                     [](const auto* follower) { return follower->awaited(); });
}

bool Worker::MustRetry() const {
  return !failures_.empty() || std::any_of(followers_.begin(), followers_.end(),
                                           [](const auto* follower) { return follower->stuck(); });
}

void Worker::SaveCursors() {
  for (LogFollower* follower : followers_) follower->Save();
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
  woken_ = pressed_ = true;
  if (idle_ || patient_) wake_.Signal();
}

void Worker::WakeFor(Backlog& backlog) {
  backlog_ = &backlog;
  protocol::MutexLock lock(&mutex_);
  woken_ = true;
  if (idle_ || (patient_ && backlog.presses())) wake_.Signal();
}

Watermark::Token Worker::WhenAt(ProjectionId projection, storage::Position position,
                                std::function<void()> reached) {
  const auto token = watermark(projection).WhenAt(position, std::move(reached));
  Hurry();
  return token;
}

void Worker::Hurry() {
  protocol::MutexLock lock(&mutex_);
  hurried_ = true;
  wake_.Signal();
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
  std::abort();  // a bug: it was not added
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
