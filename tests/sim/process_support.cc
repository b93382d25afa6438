#include "tests/sim/process_support.h"

#include <random>

#include "features/files/files.h"
#include "tests/storage/memory_sealer.h"
#include "threads/model/keys.h"

namespace parley::sim {

Process::Process(std::shared_ptr<storage::MemoryDisk> disk, gateway_test::FakeClock& clock, uint64_t seed,
                 const gateway::Config& config, Witness* witness, double cold)
    : clock_(clock),
      table_(storage::OpenMemoryTable(std::move(disk)), witness),
      ids_(protocol::NewSeededIdSource(seed)) {
  // Membership is checked when a removal was just reported, so such a row is in memory.
  table_.SetCold([cold, random = std::make_shared<std::mt19937_64>(seed)](
                     const storage::PartitionKey& partition, const storage::SortKey* sort) {
    if (sort && sort->bytes().starts_with(threads::RangeOf(storage::ThreadTag::kParticipant).begin.bytes()))
      return false;
    // So are the rows that identify the caller: every hello reads them, and they seldom change.
    const bool asks_who = partition.table() == storage::TableTag::kItems &&
                          (partition.id().starts_with("tenants") || partition.id().starts_with("permission"));
    return static_cast<double>((*random)() % 1000) < cold * (asks_who ? 50 : 1000);
  });
  std::vector<gateway::Transport*> transports;
  for (int64_t i = 0; i < config.io_threads; ++i) {
    loops_.emplace_back(clock);
    transports.push_back(&transports_.emplace_back(loops_.back()));
  }
  node_ = std::make_unique<gateway::Node>(table_, clock, *ids_, loops_.front(), config, metrics_,
                                          storage::SealerInMemory(table_.identity().secret), kOperatorKey);
  for (size_t i = 1; i < loops_.size(); ++i) node_->AddIoThread(loops_[i]);
  if (const std::string why = node_->Open(); !why.empty()) throw std::runtime_error(why);
  features::FilesOf(node_->io()).EndThreads();
  server_ = std::make_unique<gateway::Server>(*node_, transports, files_);
  for (size_t i = 0; i < transports.size(); ++i) transports[i]->Listen({}, server_->handler(i));
}

Process::~Process() {
  for (auto& loop : loops_) loop.DropAll();
}

bool Process::StepReaders(size_t n) {
  gateway::ReadPool& pool = node_->read_pool();
  auto job = pool.waiting() == 0 ? std::nullopt : pool.Take(n % pool.waiting());
  if (!job) return false;
  if (pool.Read(*job)) read_.push_back(std::move(*job));
  ++reads_;
  return true;
}

bool Process::FinishRead(size_t n) {
  if (read_.empty()) return false;
  const auto at = read_.begin() + static_cast<std::ptrdiff_t>(n % read_.size());
  gateway::ReadPool::Finish(std::move(*at));
  read_.erase(at);
  return true;
}

bool Process::StepLoops() {
  bool worked = false;
  for (auto& loop : loops_) worked |= loop.RunOne();
  return worked;
}

size_t Process::shared_pages() {
  const std::string text = metrics_.Render(), name = "\nparley_resume_pages_shared_total ";
  return std::stoul(text.substr(text.find(name) + name.size()));
}

void Process::Settle() {
  while (StepLoops() || FinishRead() || StepReaders() || executors().Step() || node_->item_writer().Step() ||
         node_->password_hash_pool().Step() || node_->signature_check_pool().Step() ||
         features::FilesOf(node_->io()).Step() || StepWorker()) {
  }
  node_->worker().SaveCursors();
}

void Process::Advance(int64_t ms) {
  loops_.front().Advance(ms, [this] { Settle(); });
}

void Process::AdvanceWatched(int64_t ms) {
  loops_.front().Advance(ms, [this] {
    Settle();
    if (!node_->NotReady().empty()) throw ProcessDied{};
  });
}

std::string Process::TokenOf(const std::string& user) const {
  accounts::Claims claims;
  claims.sub = user;
  claims.tid = accounts::kDemoTenant;
  claims.exp_s = clock_.Now().ms / 1000 + 100 * 365 * 24 * 3600LL;
  return accounts::SignHs256(claims, node_->tenants().Find(accounts::kDemoTenant)->signing_secret);
}

}  // namespace parley::sim
