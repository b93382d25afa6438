// The manual of cards is printed from the table.
#include "threads/cards/manual.h"

#include <gtest/gtest.h>

#include "tests/repository.h"
#include "threads/model/card_kinds.h"

namespace parley::threads {
namespace {

TEST(CardsManual, in_docs_matches_the_output) {
  EXPECT_EQ(tests::RepositoryText("docs/cards.md"), CardsManual())
      << "regenerate: parleyd --cards > docs/cards.md";
}

TEST(CardsManual, draws_every_transition_of_every_kind) {
  const std::string manual = CardsManual();
  for (const CardKind& kind : CardKinds()) {
    EXPECT_NE(manual.find("## " + std::string(kind.type) + "\n"), std::string::npos) << kind.type;
    for (const CardTransition& rule : kind.transitions) {
      const std::string arrow =
          std::string(rule.from) + " --> " + std::string(rule.to) + ": " + std::string(rule.intent);
      EXPECT_NE(manual.find(arrow), std::string::npos) << arrow;
    }
  }
}

}  // namespace
}  // namespace parley::threads
