// Pages lists: requests pass `?limit=` and `?cursor=`, answers are {items, cursor}.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gateway/http/route.h"

namespace parley::gateway {

inline constexpr int64_t kPageDefault = 50;
inline constexpr size_t kPageMax = 200;

struct PageArgs {
  std::optional<protocol::PageLimit> limit;
  std::optional<protocol::Text<2048>> cursor;
};
// Descriptions of both fields, for Fields() of arguments that have them.
inline constexpr std::string_view kLimitAbout = "the largest number of items; 50 if not given";
inline constexpr std::string_view kCursorAbout = "the cursor of the previous page";

template <class T>
struct Page {
  protocol::List<T, kPageMax> items;
  std::optional<std::string> cursor;
  static constexpr void Fields(auto& field) {
    field("items", &Page::items, "");
    field("cursor", &Page::cursor, "where the next page begins; null at the end");
  }
};

inline size_t LimitOf(const std::optional<protocol::PageLimit>& limit) {
  return static_cast<size_t>(limit ? limit->value : kPageDefault);
}
// Opens a cursor of this list, which is bound to the caller; nullopt if none was given.
inline protocol::Result<std::optional<std::string>> PositionIn(
    const Call& call, const std::string& list, const std::optional<protocol::Text<2048>>& cursor) {
  if (!cursor) return std::optional<std::string>();
  auto position = call.node().cursors().Open(call.who.caller, list, cursor->value);
  if (!position) return protocol::Error::BadField("cursor", "is not a cursor of this list");
  return position;
}
inline std::string CursorAt(const Call& call, const std::string& list, const std::string& position) {
  return call.node().cursors().Seal(call.who.caller, list, position);
}

// Cuts a page from a list that is small enough to be read whole. `all` is ordered by `place`.
template <class T, class Place>
protocol::Result<Page<T>> PageOfAll(const Call& call, const std::string& list, const auto& args,
                                    std::vector<T> all, Place place) {
  PARLEY_TRY(after, PositionIn(call, list, args.cursor));
  if (after) std::erase_if(all, [&](const T& one) { return place(one) <= *after; });
  Page<T> page;
  if (all.size() > LimitOf(args.limit)) {
    all.resize(LimitOf(args.limit));
    page.cursor = CursorAt(call, list, place(all.back()));
  }
  page.items.items = std::move(all);
  return page;
}

}  // namespace parley::gateway
