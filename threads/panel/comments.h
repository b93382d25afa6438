// Sets the authors of comments on pins and shots. A client sends a whole tab, so each comment in it either
// repeats a stored one of the same pin or shot and stays as it is, or is new and gets the writer as its
// author and the time. Changing another author's comment removes theirs and adds the writer's. Pure
// functions.
#pragma once

#include "protocol/base/time.h"
#include "protocol/items.h"
#include "protocol/value.h"

namespace parley::threads {

// Returns the content of a moodboard or a shot list (`given`, decoded as `content`) with its comments as they
// are stored. REQUIRES: it matches its schema.
protocol::Json WithAuthors(const protocol::Value& before, const protocol::Json& given,
                           const protocol::Value& content, const protocol::UserId& author,
                           protocol::Time now);

}  // namespace parley::threads
