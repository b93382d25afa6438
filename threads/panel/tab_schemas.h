// What each tab of the panel may contain, in the schema language (model/schema.h). Everything is bounded;
// unknown members are refused, except at the top of the brief, where tenants keep their own fields.
#pragma once

#include "threads/model/schema.h"

namespace parley::threads::tabs {

extern const Schema kBrief, kMoodboard, kShotlist, kFiles, kDocs, kExpenses;
extern const Schema kAnything;  // for a tab that nobody writes

}  // namespace parley::threads::tabs
