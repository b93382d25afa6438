// Comments on pins and shots: whose they are is the server's to say. A client sends a tab whole, so each
// comment in it is either one that is stored with the same pin or shot, and stays as it is stored, or it is
// new, and is the writer's own, made now. Changing somebody's comment takes theirs away and adds the
// writer's. Pure functions.
#pragma once

#include "protocol/base/time.h"
#include "protocol/items.h"
#include "protocol/value.h"

namespace parley::threads {

// `content` (`given`, decoded) of a moodboard or a shot list, with its comments as they are to be stored.
// REQUIRES: it fits its schema.
protocol::Json WithAuthors(const protocol::Value& before, const protocol::Json& given,
                           const protocol::Value& content, const protocol::UserId& author,
                           protocol::Time now);

}  // namespace parley::threads
