// What each tab of the panel may hold, as data: one table per tab, read by the check below and by nothing
// else. Everything is bounded: text in bytes, lists in elements, numbers by low and high; unknown members are
// refused, except at the top of the brief, where tenants keep fields of their own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "protocol/base/result.h"
#include "protocol/items.h"
#include "protocol/value.h"

namespace parley::threads {

enum class Shape : uint8_t {
  kText,    // at most `high` bytes
  kNumber,  // low … high
  kFlag,
  kTime,
  kUser,   // a userId
  kId,     // text of 1 … 64 bytes; unique among its siblings
  kOneOf,  // one of `names`
  kTexts,  // at most `high` texts of at most `low` bytes
  kItems,  // at most `high` maps of `members`
};

struct ContentField {
  std::string_view name;
  Shape shape;
  int64_t low = 0, high = 0;
  bool required = false;
  std::span<const ContentField> members = {};
  std::span<const std::string_view> names = {};
};

// The top-level fields of a tab's content; none for `actions`, which nobody writes.
std::span<const ContentField> SchemaOf(protocol::TabName tab);

// BAD_REQUEST with the field that is wrong, such as content.pins.3.nsfwBand.
protocol::Status CheckContent(protocol::TabName tab, const protocol::Value& content, std::string_view name);

}  // namespace parley::threads
