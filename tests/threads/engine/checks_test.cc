#include "threads/engine/checks.h"

#include <gtest/gtest.h>

#include "storage/memory_table.h"
#include "threads/model/row_reader.h"

namespace parley::threads {
namespace {

struct Sum {
  using Answer = int;
  int first = 0;
};
struct OtherSum {
  using Answer = int;
};

struct KeptChecks final : CheckMemory {
  size_t Weight() const override { return 100; }
  int value = 0;
};
struct OtherKept final : CheckMemory {
  size_t Weight() const override { return 20; }
  int value = 0;
};

class ChecksTest : public testing::Test {
 protected:
  Result<int> Ask(int first) { return checks_.Ask(CheckInput{*table_, tenant_, {}}, Sum{first}); }
  void AddTerm(int term) {
    checks_.Add<Sum>([term](const CheckInput&, const Sum& question, int* answer) {
      *answer += question.first + term;
      return protocol::Ok();
    });
  }

  const std::unique_ptr<storage::MemoryTable> table_ = storage::NewMemoryTable();
  const protocol::TenantId tenant_{"demo"};
  Checks checks_;
};

TEST_F(ChecksTest, without_any_the_answer_is_its_default) {
  EXPECT_EQ(Ask(5).value(), 0);
}

TEST_F(ChecksTest, of_one_question_all_complete_its_answer_and_no_other) {
  AddTerm(10);
  AddTerm(20);
  EXPECT_EQ(Ask(1).value(), 32);
  EXPECT_EQ(checks_.Ask(CheckInput{*table_, tenant_, {}}, OtherSum{}).value(), 0);
}

TEST_F(ChecksTest, end_at_the_first_error) {
  bool asked = false;
  checks_.Add<Sum>([](const CheckInput&, const Sum&, int*) {
    return protocol::Status(Error(ErrorCode::kForbidden, "no"));
  });
  checks_.Add<Sum>([&](const CheckInput&, const Sum&, int*) {
    asked = true;
    return protocol::Ok();
  });
  EXPECT_EQ(Ask(1).error().code, ErrorCode::kForbidden);
  EXPECT_FALSE(asked);
}

TEST_F(ChecksTest, keep_answers_of_their_own_until_a_change_is_noted) {
  CheckMemories memories;
  memories.Refresh(checks_.generation());
  memories.Of<KeptChecks>().value = 1;
  memories.Of<OtherKept>().value = 2;
  memories.Refresh(checks_.generation());
  EXPECT_EQ(memories.Of<KeptChecks>().value, 1);
  EXPECT_EQ(memories.Of<OtherKept>().value, 2);
  EXPECT_EQ(memories.Weight(), 120u);
  checks_.NoteChanged();
  memories.Refresh(checks_.generation());
  EXPECT_EQ(memories.Weight(), 0u);
  EXPECT_EQ(memories.Of<KeptChecks>().value, 0);
}

}  // namespace
}  // namespace parley::threads
