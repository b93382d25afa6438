// Comments on pins and shots: the server says who wrote them. A client sends a whole tab, so each comment in
// it is either stored with the same pin or shot already and stays as it is, or it is new and belongs to the
// writer, as of now. Changing somebody's comment removes theirs and adds the writer's. Pure functions.
#pragma once

#include "protocol/base/time.h"
#include "protocol/items.h"
#include "protocol/value.h"

namespace parley::threads {

// `content` (`given`, decoded) of a moodboard or a shot list, with its comments as they are to be stored.
// REQUIRES: it matches its schema.
protocol::Json WithAuthors(const protocol::Value& before, const protocol::Json& given,
                           const protocol::Value& content, const protocol::UserId& author,
                           protocol::Time now);

}  // namespace parley::threads
