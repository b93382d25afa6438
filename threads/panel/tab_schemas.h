// What each tab of the panel may hold, in the language of schemas (threads/model/schema.h). Everything is
// bounded; unknown members are refused, except at the top of the brief, where tenants keep fields of their
// own.
#pragma once

#include <string_view>

#include "protocol/base/result.h"
#include "protocol/items.h"
#include "threads/model/schema.h"

namespace parley::threads {

// BAD_REQUEST with the fields that are wrong, such as content.pins.3.nsfwBand. `actions` takes anything here:
// nobody writes it.
protocol::Status CheckContent(protocol::TabName tab, const protocol::Value& content, std::string_view name);

}  // namespace parley::threads
