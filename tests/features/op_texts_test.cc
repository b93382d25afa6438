// Every text of every op has a row in the table of texts, with its treatment by the text policy.
#include <gtest/gtest.h>

#include <set>

#include "features/ops.h"
#include "threads/judge/texts.h"

namespace parley::features {
namespace {

using threads::TextField;
using threads::TextFields;

using Name = std::pair<std::string, std::string>;

std::set<Name> AllTexts() {
  std::set<Name> out;
  protocol::ForEachOp(AllOps{}, [&]<class Op>() {
    if (Op::kKind != protocol::OpKind::kWrite) return;
    threads::ForEachText<Op>([&](const std::string& field) { out.emplace(Op::kName, field); });
  });
  return out;
}

TEST(OpTexts, each_text_of_an_op_has_a_row_and_each_row_has_a_text) {
  std::set<Name> listed;
  for (const TextField& one : TextFields()) listed.emplace(one.op, one.field);
  for (const Name& name : AllTexts())
    EXPECT_TRUE(listed.contains(name))
        << name.first << " " << name.second << ": who reads it? Give it a line in threads/judge/texts.cc";
  for (const Name& name : listed)
    EXPECT_TRUE(AllTexts().contains(name)) << name.first << " " << name.second << " is no text of that op";
}

}  // namespace
}  // namespace parley::features
