// A table whose process dies at a chosen step: right before or right after a commit, an apply or a trim
// reaches storage. A witness sees each commit. Dying is an exception that unwinds to the simulator, which
// then discards the whole process, like a kill.
#pragma once

#include <memory>

#include "storage/memory_table.h"
#include "tests/sim/witness_support.h"
#include "tests/storage/cold_table.h"

namespace parley::sim {

struct ProcessDied {};

enum class Death : uint8_t {
  kNone,
  kBeforeCommit,
  kAfterCommit,
  kBeforeApply,
  kAfterApply,
  kBeforeTrim,
  kAfterTrim
};
inline constexpr size_t kDeaths = 6;

class DyingTable final : public storage::ColdTable {
 public:
  DyingTable(std::unique_ptr<storage::MemoryTable> table, Witness* witness)
      : ColdTable(table.get()), table_(std::move(table)), witness_(witness) {}

  // The process dies the next time it reaches that step.
  void Arm(Death death) { death_ = death; }
  // The next commit is reported durable but is not. The simulator must catch this fault.
  void LieAboutNextCommit() { lies_ = true; }
  bool lied() const { return lied_; }
  storage::MemoryTable& memory() { return *table_; }

  storage::Status Commit(std::span<const storage::CommitRequest> requests,
                         std::vector<storage::CommitResult>* results) override {
    if (lies_) {
      lies_ = false;
      lied_ = true;
      results->assign(requests.size(), storage::CommitResult{storage::StatusCode::kOk,
                                                             table_->LastPosition() + 1, std::nullopt});
      return {};
    }
    DieIf(Death::kBeforeCommit);
    storage::Status status = table_->Commit(requests, results);
    DieIf(Death::kAfterCommit);
    if (status.ok()) witness_->OnCommitted(requests, *results);
    return status;
  }
  bool sole_writer() const override { return true; }  // like RocksDB: trusts its caches
  storage::Status Apply(std::span<const storage::DerivedWrite> writes, std::string_view projection,
                        storage::Position cursor) override {
    DieIf(Death::kBeforeApply);
    storage::Status status = table_->Apply(writes, projection, cursor);
    DieIf(Death::kAfterApply);
    return status;
  }
  storage::Status TrimLog(storage::Position through) override {
    DieIf(Death::kBeforeTrim);
    storage::Status status = table_->TrimLog(through);
    DieIf(Death::kAfterTrim);
    trims_ += status.ok();
    return status;
  }
  size_t trims() const { return trims_; }

 private:
  void DieIf(Death death) {
    if (death_ != death) return;
    death_ = Death::kNone;
    throw ProcessDied{};
  }
  const std::unique_ptr<storage::MemoryTable> table_;
  Witness* const witness_;
  size_t trims_ = 0;
  Death death_ = Death::kNone;
  bool lies_ = false, lied_ = false;
};

}  // namespace parley::sim
