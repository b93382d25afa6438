// The executor over a memory table, stepped by the test and controlled by lines of text. The tests of two
// folders compile it into their programs.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/threads/fakes.h"
#include "tests/threads/op_text.h"
#include "tests/threads/watched_table.h"
#include "threads/engine/executor.h"
#include "threads/operations.h"

namespace parley::threads {

// The command of a line of text, as the router would post it.
Job JobFrom(const Call& call);

class ExecutorScene : private AnswerSink, private ChangeSink {
 public:
  explicit ExecutorScene(ExecutorSettings settings = {}) : settings_(std::move(settings)) { Open(); }
  ~ExecutorScene() override = default;

  // Queues a line; Text(n) with the returned number gives its outcome.
  size_t Submit(std::string_view line) {
    const size_t number = answers_.size();
    answers_.emplace_back();
    Job job = JobFrom(CallFrom(line, names));
    job.done = [this, number](Answer answer) { answers_[number] = std::move(answer); };
    executor->Submit(std::move(job));
    return number;
  }
  // Runs all queued lines.
  void Step() {
    while (executor->Step()) {
    }
  }
  // Queues lines separated by ';', runs them, and returns the last answer.
  std::string Do(std::string_view lines) {
    size_t last = 0;
    for (const std::string& line : SplitText(lines, ';')) {
      last = Submit(line.substr(line.find_first_not_of(' ')));
      Step();
    }
    return Text(last);
  }

  // "waiting", "ok", "duplicate", or the error.
  std::string Text(size_t number) const {
    if (!answers_[number]) return "waiting";
    if (!answers_[number]->ok()) return ErrorText(answers_[number]->error());
    return Pick(**answers_[number], "duplicate", names) == "true" ? "duplicate" : "ok";
  }
  std::string Reply(size_t number, std::string_view path) const {
    return Text(number) == "waiting" || !answers_[number]->ok() ? Text(number)
                                                                : Pick(**answers_[number], path, names);
  }
  const Error& ErrorOf(size_t number) const { return answers_[number]->error(); }
  bool AnyAnswer() const {
    for (const auto& answer : answers_) {
      if (answer) return true;
    }
    return false;
  }
  void ForgetAnswers() { answers_.clear(); }

  // Ends the process and opens the same disk in another.
  void Restart() {
    executor.reset();
    watched.reset();
    table.reset();
    Open();
  }

  // The changes that the sink received, in order: "T 4 message.created M1 buyer 'x'", "T read buyer".
  std::string Received() const {
    std::string out;
    for (const CommittedChangePtr& change : changes) {
      const std::string thread = names.NameOf(change->thread.ToText());
      for (const SharedChange& event : change->events)
        out += thread + " " + EventText(event.kind, event.seq, event.item, names) + "\n";
      if (change->receipt) out += thread + " read " + change->receipt->user.value + "\n";
    }
    return out;
  }

  RowReader Rows() const { return RowReader(*table, TenantId{"demo"}); }
  ThreadId ThreadNamed(const std::string& name) const { return *ThreadId::FromText(names.IdOf(name)); }
  // Every row of a table as bytes; equal dumps mean equal stores.
  std::string Dump(storage::TableTag tag) const {
    std::string out;
    const auto status = table->ScanAll(
        tag, [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
          for (const auto part :
               {std::string_view(partition.bytes()), std::string_view(sort.bytes()), row.payload})
            out += std::to_string(part.size()) + ":" + std::string(part);
          return true;
        });
    EXPECT_TRUE(status.ok());
    return out;
  }

  std::shared_ptr<storage::MemoryDisk> disk = storage::NewMemoryDisk({"ep_test", std::string(32, 's')});
  std::unique_ptr<storage::MemoryTable> table;
  std::unique_ptr<WatchedTable> watched;
  FakeClock clock;
  Names names;
  std::vector<CommittedChangePtr> changes;
  // Another receiver of changes, for tests that also run the fan-out.
  ChangeSink* next_sink = nullptr;
  std::unique_ptr<protocol::Metrics> metrics;
  std::unique_ptr<Executor> executor;

 private:
  void Open() {
    table = storage::OpenMemoryTable(disk);
    watched = std::make_unique<WatchedTable>(*table);
    metrics = std::make_unique<protocol::Metrics>();
    ids_ = protocol::NewSeededIdSource(++opened_);
    executor.reset(new Executor(*watched, clock, *ids_, settings_, *this, *this, *metrics));
  }
  void OnAnswers(std::vector<Finished> finished) override {
    for (Finished& one : finished) one.done(std::move(one.answer));
  }
  void OnCommitted(std::vector<CommittedChangePtr> committed) override {
    for (const CommittedChangePtr& change : committed) {
      for (const SharedChange& event : change->events) NameItems(event, change->thread, &threads_, &names);
      changes.push_back(change);
    }
    if (next_sink) next_sink->OnCommitted(std::move(committed));
  }

  const ExecutorSettings settings_;
  uint64_t opened_ = 0;
  int threads_ = 0;
  std::unique_ptr<protocol::IdSource> ids_;
  std::vector<std::optional<Answer>> answers_;
};

}  // namespace parley::threads
