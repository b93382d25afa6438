#include "threads/panel/tab_specs.h"

#include <iterator>

#include "threads/panel/tab_rules.h"
#include "threads/panel/tab_schemas.h"

namespace parley::threads {
namespace {

using protocol::TabName;

constexpr TabSpec kTabs[] = {
    {.tab = TabName::kBrief, .content = &tabs::kBrief},
    {.tab = TabName::kMoodboard, .content = &tabs::kMoodboard, .finish = FinishMoodboard},
    {.tab = TabName::kShotlist,
     .content = &tabs::kShotlist,
     .finish = FinishShotlist,
     .summarise = [](const protocol::Value& content,
                     protocol::Thread* thread) { thread->shotlist = CountShots(content); }},
    {.tab = TabName::kFiles,
     .content = &tabs::kFiles,
     .author = TabAuthor::kDelivered,
     .check = CheckFinals,
     .outcomes = FinalsDelivered},
    {.tab = TabName::kDocs,
     .content = &tabs::kDocs,
     .author = TabAuthor::kServices,
     .outcomes = DocumentsSigned},
    {.tab = TabName::kExpenses,
     .content = &tabs::kExpenses,
     .author = TabAuthor::kServices,
     .finish = FinishExpenses,
     .outcomes = PaymentsReceived},
    {.tab = TabName::kActions, .content = &tabs::kAnything, .author = TabAuthor::kNobody},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kTabs); ++i) {
    if (static_cast<size_t>(kTabs[i].tab) != i) return false;
  }
  return std::size(kTabs) == std::size(protocol::EnumNames<TabName>::kNames);
}
static_assert(InOrder(), "each tab has its line, in the order of the enumeration");

}  // namespace

const TabSpec& SpecOf(TabName tab) {
  return kTabs[static_cast<size_t>(tab)];
}

}  // namespace parley::threads
