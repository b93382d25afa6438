// What each tab of the panel may hold, in the language of schemas (model/schema.h). Everything is bounded;
// unknown members are refused, except at the top of the brief, where tenants keep fields of their own.
#pragma once

#include "threads/model/schema.h"

namespace parley::threads::tabs {

extern const Schema kBrief, kMoodboard, kShotlist, kFiles, kDocs, kExpenses;
extern const Schema kAnything;  // of a tab that nobody writes

}  // namespace parley::threads::tabs
