// The committer of a store: merges the decisions of several executors into one group with one sync. A caller
// that finds no commit in progress commits for every waiting caller; a caller without company commits its own
// at once.
//
// Thread contract: Commit from any thread.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "protocol/base/mutex.h"
#include "storage/table.h"

namespace parley::storage {

class Committer {
 public:
  using Requests = std::vector<CommitRequest>;
  // Runs on the committing caller's thread, in the order of commits, never two at a time. `results` is as in
  // Table::Commit, for these requests alone; empty if the status is not ok.
  using Done = std::function<void(const Status& status, std::span<CommitResult> results)>;

  explicit Committer(Table& table) : table_(table) {}

  // Returns after `done` was called.
  void Commit(Requests requests, const Done& done);
  struct Share {
    Requests requests;
    Done done;
  };
  // Commits the requests of several executors as one group, as if all had waited for the same commit to end.
  // REQUIRES: no other commit is in progress.
  void CommitTogether(std::vector<Share> shares);
  size_t waiting() const;  // callers that have not begun

 private:
  struct Waiting {
    Requests requests;
    const Done* done;
    bool over = false;
  };
  void CommitAll(const std::vector<Waiting*>& group);

  Table& table_;
  mutable protocol::Mutex mutex_;
  protocol::CondVar over_;
  std::vector<Waiting*> waiting_ GUARDED_BY(mutex_);
  bool committing_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::storage
