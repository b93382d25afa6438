// The schemas of the panel's tabs (model/schema.h). Everything is bounded; unknown members are rejected,
// except at the top of the brief, where tenants keep their own fields.
#pragma once

#include "threads/model/schema.h"

namespace parley::threads::tabs {

extern const Schema kBrief, kMoodboard, kShotlist, kFiles, kDocs, kExpenses;
extern const Schema kAnything;  // for a tab that no client writes

}  // namespace parley::threads::tabs
