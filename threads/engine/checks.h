// The checks that features register. Each answers one kind of question about users that the threads' own rows
// do not answer, such as whether a stranger is welcome. The executor knows no feature and no question.
//
// A question is a struct with its answer as `Answer`, declared by the slice that asks it. Every check of a
// question completes the answer of the checks before it, or returns an error. Without checks, the answer is
// `Answer{}`.
//
// Thread contract: Add before the executors run; Ask on any executor's thread. Checks may read the disk: a
// record or two, and the index of the caller's inbox.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "protocol/base/clock.h"
#include "protocol/base/result.h"
#include "storage/table.h"

namespace parley::threads {

// The input of every check.
struct CheckInput {
  const storage::Reader& reader;  // the store, with the batch's own decisions
  protocol::Time now;
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

 private:
  // Its address identifies the type of a question.
  template <typename Question>
  static constexpr char kKind = 0;
  struct Entry {
    const char* question;
    std::shared_ptr<const void> check;  // a Check of that question
  };
  std::vector<Entry> list_;
};

}  // namespace parley::threads
