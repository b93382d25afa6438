// The executors of a store: each decides the threads whose ids are assigned to it, and all commit through one
// committer. With one, which is the default, this is just an executor.
//
// All commands of a thread run on the same executor, so they keep their order. Commands that name no thread
// (a creation, the reservation of a broadcast) run on the first: only it writes the reservations of users.
//
// Thread contract: Submit, Stop, queued and fault from any thread; Step from one thread, or Run with a
// separate thread for each executor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "storage/committer.h"
#include "threads/engine/executor.h"

namespace parley::threads {

class Executors {
 public:
  // The first uses `ids`; each other has a source of its own.
  Executors(size_t count, storage::Table& table, storage::Committer& committer, const protocol::Clock& clock,
            protocol::IdSource& ids, const ExecutorSettings& settings, ChangeSink& changes,
            AnswerSink& answers, protocol::Metrics& metrics);

  void Submit(std::vector<Job> jobs);
  void Submit(Job job);
  // Submits a job that names no thread to one executor.
  void SubmitTo(size_t index, Job job);
  bool Step();  // one batch of each; false: the queues were empty
  // For the simulator, which interleaves the parts of the executors' steps.
  Executor& executor(size_t index) { return *executors_[index]; }
  storage::Committer& committer() { return committer_; }

  size_t count() const { return executors_.size(); }
  void Run(size_t index) { executors_[index]->Run(); }  // until Stop
  void Stop();

  size_t queued() const;
  std::string fault() const;

 private:
  storage::Committer& committer_;
  std::vector<std::unique_ptr<protocol::IdSource>> more_ids_;
  std::vector<std::unique_ptr<Executor>> executors_;
};

}  // namespace parley::threads
