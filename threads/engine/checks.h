// The checks that features register. Each answers one kind of question about users that the threads' own rows
// do not answer, such as whether a user may write. The executor knows no feature.
//
// A question is a struct with its answer as `Answer`, declared by the slice that asks it. Every check of a
// question completes the answer of the checks before it, or returns an error. Without checks, the answer is
// `Answer{}`.
//
// Thread contract: Add before the executors run; Ask on any executor's thread; NoteChanged on any thread.
// Checks may read the disk: a record or two, and the index of the caller's inbox.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/clock.h"
#include "protocol/base/result.h"
#include "storage/table.h"
#include "threads/model/barriers.h"

namespace parley::threads {

// The answers that one check keeps for a thread.
class CheckMemory {
 public:
  virtual ~CheckMemory() = default;
  virtual size_t Weight() const = 0;  // its approximate size in bytes
};

// The answers that checks keep for a thread while it is cached and until NoteChanged: commands that write ask
// each time, and the answers change rarely. Belongs to one executor.
class CheckMemories {
 public:
  // A check's own part, which has a type of its own.
  template <typename Memory>
  Memory& Of() {
    for (const auto& [kind, memory] : all_)
      if (kind == &kKind<Memory>) return static_cast<Memory&>(*memory);
    all_.emplace_back(&kKind<Memory>, std::make_unique<Memory>());
    return static_cast<Memory&>(*all_.back().second);
  }
  // Drops all answers, unless they were kept since the latest change.
  void Refresh(uint64_t generation) {
    if (generation_ != generation) all_.clear();
    generation_ = generation;
  }
  size_t Weight() const {
    size_t sum = 0;
    for (const auto& [kind, memory] : all_) sum += memory->Weight();
    return sum;
  }

 private:
  template <typename Memory>
  static constexpr char kKind = 0;  // its address identifies the type
  uint64_t generation_ = 0;
  std::vector<std::pair<const char*, std::unique_ptr<CheckMemory>>> all_;
};

// The input of every check.
struct CheckInput {
  const storage::Reader& reader;  // the store, with the batch's own decisions
  const protocol::TenantId& tenant;
  protocol::Time now;
  CheckMemories* memories = nullptr;  // the thread's; nullptr: the question concerns no thread
  size_t executor = 0;                // the executor's index
};

template <typename Question>
using Check = std::function<protocol::Status(const CheckInput&, const Question&, typename Question::Answer*)>;

class Checks {
 public:
  template <typename Question>
  void Add(Check<Question> check) {
    list_.push_back({&kKind<Question>, std::make_shared<const Check<Question>>(std::move(check))});
  }

  template <typename Question>
  protocol::Result<typename Question::Answer> Ask(const CheckInput& input, const Question& question) const {
    typename Question::Answer answer{};
    for (const Entry& entry : list_) {
      if (entry.question != &kKind<Question>) continue;
      PARLEY_CHECK_OK((*static_cast<const Check<Question>*>(entry.check.get()))(input, question, &answer));
    }
    return answer;
  }

  // Makes checks read again what they keep for threads. Call it after a change is on disk and before its
  // caller is answered.
  void NoteChanged() { generation_.fetch_add(1, std::memory_order_release); }
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }  // never 0

 private:
  template <typename Question>
  static constexpr char kKind = 0;  // its address identifies the type
  struct Entry {
    const char* question;
    std::shared_ptr<const void> check;  // a Check of that question
  };
  std::vector<Entry> list_;
  std::atomic<uint64_t> generation_{1};
};

// Asks for the barriers to a user's writes in a thread, which exists or is about to. Asked with memories.
struct WriteBarriers {
  using Answer = Barriers;
  const std::optional<protocol::UserId>& user;  // nullopt: asks for those to everybody's
  const std::optional<std::string>& city;       // the thread's
  const ThreadRow* head = nullptr;              // nullptr: asks for those in every thread of the city
};

}  // namespace parley::threads
