// The executors of a store: each decides the threads whose ids fall to it, all commit through one committer.
// With one, which is the default, this is just an executor.
//
// A command of a thread runs where the thread's others do, so one thread's commands keep their order. What
// names no thread (a creation, the reservation of a broadcast) runs on the first: there alone are the
// reservations of users written.
//
// Thread contract: Submit, Stop, queued and fault from any thread; Step, or Run of each executor on a thread
// of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "threads/engine/committer.h"
#include "threads/engine/executor.h"

namespace parley::threads {

class Executors {
 public:
  // `ids` are the first's; the others have sources of their own.
  Executors(size_t count, storage::Table& table, const protocol::Clock& clock, protocol::IdSource& ids,
            const ExecutorSettings& settings, ChangeSink& changes, AnswerSink& answers,
            protocol::Metrics& metrics);

  void Submit(std::vector<Job> jobs);
  void Submit(Job job);
  bool Step();                                                   // each in turn; false: nothing to do
  bool Step(size_t index) { return executors_[index]->Step(); }  // one of them
  // Each decides a turn, and all of it is committed as one group, as when several wait for the committer. How
  // many had something to commit; nothing: nobody had anything to do.
  std::optional<size_t> StepTogether();

  size_t count() const { return executors_.size(); }
  void Run(size_t index) { executors_[index]->Run(); }  // until Stop
  void Stop();

  size_t queued() const;
  std::string fault() const;

 private:
  Committer committer_;
  std::vector<std::unique_ptr<protocol::IdSource>> more_ids_;
  std::vector<std::unique_ptr<Executor>> executors_;
};

}  // namespace parley::threads
