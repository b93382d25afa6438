// One committer for a store: what several executors decided is committed as one group with one sync. Who
// comes while nothing is under way commits for all who wait by then; alone, he commits for himself at once.
//
// Thread contract: Commit from any thread.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "protocol/base/mutex.h"
#include "storage/table.h"

namespace parley::threads {

class Committer {
 public:
  using Requests = std::vector<storage::CommitRequest>;
  // On the thread of whoever commits, in the order of commits, never two at a time. `results` as those of
  // Table::Commit, of these requests alone; nothing when the status is not ok.
  using Done = std::function<void(const storage::Status& status, std::span<storage::CommitResult> results)>;

  explicit Committer(storage::Table& table) : table_(table) {}

  // Returns after `done` was called.
  void Commit(Requests requests, const Done& done);
  struct Share {
    Requests requests;
    Done done;
  };
  // What several executors decided, as one group, as when all of them waited for the same commit to end.
  // REQUIRES: no other commit is under way.
  void CommitTogether(std::vector<Share> shares);
  size_t waiting() const;  // who has not begun

 private:
  struct Waiting {
    Requests requests;
    const Done* done;
    bool over = false;
  };
  void CommitAll(const std::vector<Waiting*>& group);

  storage::Table& table_;
  mutable protocol::Mutex mutex_;
  protocol::CondVar over_;
  std::vector<Waiting*> waiting_ GUARDED_BY(mutex_);
  bool committing_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::threads
