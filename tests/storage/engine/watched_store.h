// Shows a test each commit of a store, before and after it reaches the disk; if the test throws there, the
// process dies.
#pragma once

#include <functional>
#include <memory>

#include "storage/forwarding_table.h"
#include "storage/memory_table.h"
#include "tests/storage/backends.h"

namespace parley::storage {

class WatchedStore final : public StoreUnderTest {
 public:
  explicit WatchedStore(std::string_view backend) : under_(MakeStore(backend)), table_(*this) {}

  Table& table() override { return table_; }
  void Reopen() override {
    before_commit = after_commit = nullptr;
    under_->Reopen();
    table_.Follow();
  }
  // REQUIRES: the memory backend.
  void Inject(MemoryFault fault) { dynamic_cast<MemoryTable&>(under_->table()).InjectFault(fault); }

  std::function<void()> before_commit, after_commit;  // both before Commit returns
  int commits = 0;

 private:
  class Watched final : public ForwardingTable {
   public:
    explicit Watched(WatchedStore& store) : ForwardingTable(&store.under_->table()), store_(store) {}
    void Follow() { under_ = &store_.under_->table(); }
    Status Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) override {
      ++store_.commits;
      if (store_.before_commit) store_.before_commit();
      Status status = under_->Commit(requests, results);
      if (store_.after_commit) store_.after_commit();
      return status;
    }

   private:
    WatchedStore& store_;
  };

  const std::unique_ptr<StoreUnderTest> under_;
  Watched table_;
};

}  // namespace parley::storage
