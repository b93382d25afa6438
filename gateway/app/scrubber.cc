#include "gateway/app/scrubber.h"

#include <algorithm>
#include <chrono>

#include "fanout/projections.h"
#include "features/all.h"
#include "protocol/base/log.h"

namespace parley::gateway {
namespace {

constexpr int64_t kShortestRestMs = 100;
constexpr int64_t kLongestRestMs = 60'000;
constexpr size_t kLoggedMax = 10;      // differences per check that are logged
constexpr size_t kFeaturePiece = 200;  // rows

}  // namespace

Scrubber::Scrubber(const storage::Table& table, fanout::Worker& worker,
                   const accounts::TenantDirectory& tenants, const protocol::Clock& clock,
                   protocol::Metrics& metrics, uint64_t seed)
    : worker_(worker),
      tenants_(tenants),
      clock_(clock),
      scrub_(
          table, clock, [&worker] { return fanout::LeastPosition(worker); }, seed),
      table_(table),
      divergence_(
          metrics.AddCounter("parley_inbox_divergence_total",
                             "Derived rows that were found to differ from their source rows; must stay 0")),
      threads_(metrics.AddCounter("parley_scrubbed_threads_total",
                                  "Threads whose derived rows were recomputed and compared")),
      inboxes_(metrics.AddCounter("parley_scrubbed_inboxes_total",
                                  "Inboxes that were counted and traced back to threads")),
      rows_(metrics.AddCounter("parley_scrubbed_rows_total", "Rows read to compare derived rows")) {
  for (const features::Feature* feature : features::AllFeatures()) {
    if (feature->scrub) of_features_.push_back(feature->scrub());
  }
  metrics.AddReadGauge("parley_scrubbed_last_seconds",
                       "Time of the last comparison of derived rows, in Unix time",
                       [this] { return static_cast<double>(last_ms_.load()) / 1000; });
}

Scrubber::~Scrubber() = default;

size_t Scrubber::Step() {
  // Rows under repair would be found again.
  const auto tenants = tenants_.Ids();
  if (tenants.empty() || worker_.repairing()) return 0;
  const protocol::TenantId& tenant = tenants[turn_++ % tenants.size()];
  size_t rows = 0;
  for (auto look : {&fanout::Scrub::LookAtThread, &fanout::Scrub::LookAtInbox}) {
    fanout::Scrub::Look found = (scrub_.*look)(tenant);
    rows += found.rows;
    const bool clean = found.differences.empty();
    Judge(std::move(found));
    if (!clean) break;
  }
  return rows + LookAtFeatures(tenant);
}

size_t Scrubber::LookAtFeatures(const protocol::TenantId& tenant) {
  size_t rows = 0;
  std::vector<std::string> differences;
  for (const auto& scrub : of_features_) {
    rows += scrub->Step(*table_.NewSnapshot(), tenant, kFeaturePiece,
                        [&](const std::string& what) { differences.push_back(what); });
  }
  Report("a row of a feature differs", differences);
  rows_.Add(static_cast<double>(rows));
  return rows;
}

void Scrubber::Report(const char* what, const std::vector<std::string>& differences) {
  found_ += differences.size();
  divergence_.Add(static_cast<double>(differences.size()));
  for (size_t i = 0; i < std::min(differences.size(), kLoggedMax); ++i)
    protocol::Log(protocol::LogLevel::kError, "gateway", what, {{"what", differences[i]}});
}

void Scrubber::Judge(fanout::Scrub::Look look) {
  rows_.Add(static_cast<double>(look.rows));
  threads_.Add(look.thread ? 1 : 0);
  inboxes_.Add(look.inbox ? 1 : 0);
  if (look.thread || look.inbox) last_ms_ = clock_.Now().ms;
  Report("a derived row differs", look.differences);
  for (fanout::RepairOrder& order : look.repairs) {
    if (!worker_.Repair(std::move(order))) break;  // the rest will be found again
  }
}

void Scrubber::Run(int64_t rows_per_second) {
  for (;;) {
    const size_t rows = Step();
    const int64_t rest_ms =
        std::clamp(static_cast<int64_t>(rows) * 1000 / std::max<int64_t>(rows_per_second, 1), kShortestRestMs,
                   kLongestRestMs);
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(rest_ms);
    protocol::MutexLock lock(&mutex_);
    while (!stopping_ && wake_.WaitUntil(&mutex_, until)) {
    }
    if (stopping_) return;
  }
}

void Scrubber::Stop() {
  protocol::MutexLock lock(&mutex_);
  stopping_ = true;
  wake_.SignalAll();
}

}  // namespace parley::gateway
