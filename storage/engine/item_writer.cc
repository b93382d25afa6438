#include "storage/engine/item_writer.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "protocol/base/log.h"
#include "protocol/base/varint.h"
#include "protocol/base/watched_clock.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_upkeep.h"
#include "storage/overlay.h"

namespace parley::storage {

std::string EncodeStats(const TableStats& stats) {
  std::string out;
  protocol::AppendVarint(&out, static_cast<uint64_t>(std::max<int64_t>(stats.items, 0)));
  protocol::AppendVarint(&out, static_cast<uint64_t>(std::max<int64_t>(stats.bytes, 0)));
  return out;
}

bool DecodeStats(std::string_view bytes, TableStats* out) {
  uint64_t items = 0, size = 0;
  if (!protocol::TakeVarint(&bytes, &items) || !protocol::TakeVarint(&bytes, &size) || !bytes.empty())
    return false;
  *out = {static_cast<int64_t>(items), static_cast<int64_t>(size)};
  return true;
}

struct ItemWriter::Probe {
  explicit Probe(protocol::Metrics& metrics)
      : writes(metrics.AddCounter("parley_item_writes_total",
                                  "Requests that the table engine's writer decided")),
        commits(metrics.AddCounter("parley_item_commits_total",
                                   "Groups of item writes that were synced to disk")),
        failed(metrics.AddCounter("parley_item_commit_failures_total",
                                  "Groups of item writes that failed; writes stop at the first")),
        upkeep(metrics.AddCounter("parley_item_upkeep_rows_total",
                                  "Rows written by the table engine's own work: expiry, backfill, erasing")),
        steps(metrics.AddCounter("parley_item_steps_total",
                                 "Steps of work that decisions on items took: bytes looked at, comparisons")),
        group(metrics.AddHistogram("parley_item_group_requests", "Requests per group of item writes",
                                   {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000})) {}
  protocol::Counter writes, commits, failed, upkeep, steps;
  protocol::Histogram group;
};

// The decisions of a batch, laid over the store. The overlay points at their rows, which must not move until
// the batch is committed.
class ItemWriter::Batch final : public ItemTransaction {
 public:
  explicit Batch(ItemWriter& writer)
      : writer_(writer), now_(writer.clock_.Now()), kept_(writer.clock_.Kept()), overlay_(writer.table_) {}

  const Reader& reader() const override { return overlay_; }
  protocol::Time now() const override { return now_; }
  protocol::Time kept() const override { return kept_; }
  const Sealer& sealer() const override { return writer_.settings_.sealer; }

  TableDefPtr FindTable(const TenantId& tenant, std::string_view name) const override {
    if (const auto found = defined_.find({tenant.ToText(), std::string(name)}); found != defined_.end())
      return found->second;
    return writer_.catalog_.Find(tenant, name);
  }
  size_t CountOwnTables(const TenantId& tenant) const override {
    size_t count = writer_.catalog_.CountOwn(tenant);
    for (const auto& [place, def] : defined_) {
      if (place.first != tenant.ToText()) continue;
      const bool was = writer_.catalog_.Find(tenant, place.second) != nullptr;
      count += (def ? 1 : 0);
      count -= (was ? 1 : 0);
    }
    return count;
  }
  Status StatsOf(const PartitionKey& table, TableStats* out) override {
    if (const auto counted = counted_.find(table); counted != counted_.end()) {
      *out = counted->second;
      return {};
    }
    return CommittedStats(table, out);
  }
  Status RoomOf(const TenantId& tenant, int64_t* bytes) override {
    const auto [place, is_new] = writer_.tenant_bytes_.try_emplace(tenant.ToText());
    if (is_new) {
      if (Status status = SumBytes(tenant, &place->second); !status.ok()) {
        writer_.tenant_bytes_.erase(place);
        return status;
      }
    }
    const auto grown = grown_.find(tenant.ToText());
    *bytes = writer_.settings_.tenant_bytes_max - place->second - (grown == grown_.end() ? 0 : grown->second);
    return {};
  }

  void Write(const PartitionKey& partition, const SortKey& sort, std::optional<Row> row) override {
    bytes_ += sort.bytes().size() + (row ? row->payload.size() : 0);
    Placed& placed = rows_.emplace_back(Placed{partition, {sort, std::move(row)}});
    overlay_.Put(placed.partition, placed.write);
  }
  void NoteSteps(uint64_t steps) override { steps_ += steps; }
  void Count(const PartitionKey& table, TableStats change) override {
    TableStats stats;
    if (!StatsOf(table, &stats).ok()) return;  // verification will report it
    counted_[table] = {stats.items + change.items, stats.bytes + change.bytes};
    grown_[std::string(table.tenant())] += change.bytes;
  }
  void Log(std::string entry) override { logs_.push_back({rows_.size(), std::move(entry)}); }
  void Define(const TenantId& tenant, TableDefPtr def) override {
    Write(DefinitionPartition(), DefinitionKey(tenant, def->name), Row{1, EncodeDefinition(*def)});
    defined_[{tenant.ToText(), def->name}] = std::move(def);
  }
  void Undefine(const TenantId& tenant, const TableDef& def) override {
    Write(DefinitionPartition(), DefinitionKey(tenant, def.name), std::nullopt);
    defined_[{tenant.ToText(), def.name}] = nullptr;
    const PartitionKey table = TablePartition(tenant, def);
    TableStats stats;
    if (StatsOf(table, &stats).ok()) {
      grown_[tenant.ToText()] -= stats.bytes;
    } else {
      unsummed_.insert(tenant.ToText());
    }
    writer_.stats_.erase(table.bytes());
    counted_.erase(table);
  }

  bool full() const {
    return bytes_ >= writer_.settings_.max_batch_bytes || steps_ >= writer_.settings_.max_batch_steps;
  }
  uint64_t steps() const { return steps_; }
  size_t rows() const { return rows_.size(); }

  // Runs of rows of one partition, in order; each log entry is attached to the last row of its decision.
  Committer::Requests TakeRequests() {
    for (const auto& [table, stats] : counted_) Write(table, StatsKey(), Row{1, EncodeStats(stats)});
    Committer::Requests requests;
    size_t log = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const bool ended = log > 0 && logs_[log - 1].rows == i;
      if (requests.empty() || ended || requests.back().partition != rows_[i].partition)
        requests.emplace_back().partition = rows_[i].partition;
      requests.back().writes.push_back(std::move(rows_[i].write));
      if (log < logs_.size() && logs_[log].rows == i + 1)
        requests.back().log_entry = std::move(logs_[log++].entry);
    }
    return requests;
  }
  void Publish() {
    for (const auto& [table, stats] : counted_) writer_.stats_[table.bytes()] = stats;
    for (const auto& [tenant, bytes] : grown_) {
      const auto sum = writer_.tenant_bytes_.find(tenant);
      if (sum != writer_.tenant_bytes_.end()) sum->second += bytes;
    }
    for (const std::string& tenant : unsummed_) writer_.tenant_bytes_.erase(tenant);
    for (auto& [place, def] : defined_) {
      const TenantId tenant{protocol::KeyText::UpToNul(place.first)};
      if (def) {
        writer_.catalog_.Publish(tenant, std::move(def));
      } else {
        writer_.catalog_.Withdraw(tenant, place.second);
      }
    }
  }

 private:
  struct Placed {
    PartitionKey partition;
    RowWrite write;
  };
  struct LogEntry {
    size_t rows;  // the number of rows up to and with its decision
    std::string entry;
  };

  // Without the changes of this batch.
  Status CommittedStats(const PartitionKey& table, TableStats* out) {
    const auto [place, is_new] = writer_.stats_.try_emplace(table.bytes());
    if (is_new) {
      std::optional<Row> row;
      Status status = writer_.table_.Get(table, StatsKey(), &row);
      if (status.ok() && row && !DecodeStats(row->payload, &place->second))
        status = {StatusCode::kCorrupt, "a table's statistics cannot be read"};
      if (!status.ok()) {
        writer_.stats_.erase(place);
        return status;
      }
    }
    *out = place->second;
    return {};
  }
  Status SumBytes(const TenantId& tenant, int64_t* out) {
    for (const TableDefPtr& def : writer_.catalog_.List(tenant)) {
      TableStats stats;
      if (Status status = CommittedStats(TablePartition(tenant, *def), &stats); !status.ok()) return status;
      *out += stats.bytes;
    }
    return {};
  }

  ItemWriter& writer_;
  const protocol::Time now_, kept_;
  std::deque<Placed> rows_;
  Overlay overlay_;
  std::vector<LogEntry> logs_;
  // Pending until the batch is on disk: statistics, the growth of each tenant's items, and the tenants whose
  // sum must be computed again.
  std::map<PartitionKey, TableStats> counted_;
  std::map<std::string, int64_t> grown_;
  std::set<std::string> unsummed_;
  std::map<std::pair<std::string, std::string>, TableDefPtr> defined_;
  size_t bytes_ = 0;
  uint64_t steps_ = 0;
};

ItemWriter::ItemWriter(Table& table, Committer& committer, Catalog& catalog, const protocol::Clock& clock,
                       ItemWriterSettings settings, ItemAnswerSink& answers, protocol::Metrics& metrics)
    : table_(table),
      committer_(committer),
      catalog_(catalog),
      clock_(clock),
      settings_(std::move(settings)),
      answers_(answers),
      probe_(std::make_unique<Probe>(metrics)),
      upkeep_(std::make_unique<ItemUpkeep>(catalog, settings_.on_expired)) {
  metrics.AddReadGauge("parley_item_writes_queued", "Item writes that wait for the table engine's writer",
                       [this] { return static_cast<double>(queued()); });
}

ItemWriter::~ItemWriter() = default;

bool ItemWriter::Submit(ItemJob& job) {
  protocol::MutexLock lock(&mutex_);
  if (stopping_ || queue_.size() >= settings_.max_queued) return false;
  queue_.push_back(std::move(job));
  wake_.Signal();
  return true;
}

size_t ItemWriter::queued() const {
  protocol::MutexLock lock(&mutex_);
  return queue_.size();
}

std::string ItemWriter::fault() const {
  protocol::MutexLock lock(&mutex_);
  return fault_;
}

std::vector<ItemJob> ItemWriter::Take() {
  protocol::MutexLock lock(&mutex_);
  std::vector<ItemJob> jobs;
  while (!queue_.empty() && jobs.size() < settings_.max_batch_jobs) {
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return jobs;
}

void ItemWriter::Fail(const std::string& why) {
  probe_->failed.Add();
  stats_.clear();
  tenant_bytes_.clear();
  protocol::Log(protocol::LogLevel::kError, "storage", "item writes stop", {{"why", why}});
  protocol::MutexLock lock(&mutex_);
  fault_ = why;
}

Status ItemWriter::Commit(Batch& batch) {
  if (batch.rows() == 0) return {};
  Status outcome;
  committer_.Commit(batch.TakeRequests(), [&](const Status& status, std::span<CommitResult>) {
    outcome = status;
    if (status.ok()) batch.Publish();
  });
  if (outcome.ok()) {
    probe_->commits.Add();
  } else {
    Fail(outcome.detail);
  }
  return outcome;
}

bool ItemWriter::Step() {
  std::vector<ItemJob> jobs = Take();
  const int64_t ahead_ms = clock_.AheadMs();
  if (jobs.empty())
    return ahead_ms == 0 && fault().empty() && clock_.MonotonicMs() >= upkeep_at_ms_ && StepUpkeep();
  std::string why = fault();
  if (why.empty() && ahead_ms > 0) why = protocol::ClockInDoubt(ahead_ms).message;
  if (!why.empty()) {
    answers_.OnItemAnswers(std::move(jobs), {StatusCode::kUnavailable, std::move(why)});
    return true;
  }
  Batch batch(*this);
  size_t done = 0;
  for (; done < jobs.size() && !batch.full(); ++done) jobs[done].decide(batch);
  if (done < jobs.size()) {  // the batch is full: the others wait at the head of the queue
    protocol::MutexLock lock(&mutex_);
    for (size_t i = jobs.size(); i-- > done;) queue_.push_front(std::move(jobs[i]));
  }
  jobs.resize(done);
  probe_->writes.Add(static_cast<double>(done));
  probe_->steps.Add(static_cast<double>(batch.steps()));
  probe_->group.Observe(static_cast<double>(done));
  const Status status = Commit(batch);
  // Every reply of the batch may depend on the failed writes, rejections included.
  answers_.OnItemAnswers(std::move(jobs), status);
  // Give upkeep a turn even under constant load.
  if (clock_.MonotonicMs() >= upkeep_at_ms_ + settings_.busy_upkeep_ms) StepUpkeep();
  return true;
}

// Each part runs in a batch of its own, so that one that fails (on a damaged row) does not stop the others.
bool ItemWriter::StepUpkeep() {
  bool more = false, wrote = false;
  for (int part = 0; part < ItemUpkeep::kParts && fault().empty(); ++part) {
    Batch batch(*this);
    bool part_has_more = false;
    const Status status = upkeep_->Step(part, batch, &part_has_more);
    if (!status.ok()) {
      protocol::Log(protocol::LogLevel::kError, "storage", "a table's upkeep failed",
                    {{"why", status.detail}});
      continue;
    }
    more = more || part_has_more;
    if (batch.rows() == 0) continue;
    probe_->upkeep.Add(static_cast<double>(batch.rows()));
    wrote = Commit(batch).ok() || wrote;
  }
  upkeep_at_ms_ = clock_.MonotonicMs() + (more ? 0 : settings_.upkeep_ms);
  return wrote;
}

void ItemWriter::Run() {
  for (;;) {
    if (Step()) continue;
    protocol::MutexLock lock(&mutex_);
    if (stopping_ && queue_.empty()) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(settings_.upkeep_ms);
    if (queue_.empty()) wake_.WaitUntil(&mutex_, until);
  }
}

void ItemWriter::Stop() {
  protocol::MutexLock lock(&mutex_);
  stopping_ = true;
  wake_.SignalAll();
}

}  // namespace parley::storage
