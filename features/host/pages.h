// Pages lists: requests pass `?limit=` and `?cursor=`, answers are {items, cursor}.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "features/host/route.h"

namespace parley::features {

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
    field("cursor", &Page::cursor, "the position of the next page; null at the end");
  }
};

inline size_t LimitOf(const std::optional<protocol::PageLimit>& limit) {
  return static_cast<size_t>(limit ? limit->value : kPageDefault);
}
// Opens a cursor of this list, which is bound to the caller; nullopt if none was given.
inline protocol::Result<std::optional<std::string>> PositionIn(
    const Call& call, const std::string& list, const std::optional<protocol::Text<2048>>& cursor) {
  if (!cursor) return std::optional<std::string>();
  auto position = call.host.cursors().Open(call.who.caller, list, cursor->value);
  if (!position) return protocol::Error::BadField("cursor", "is not a cursor of this list");
  return position;
}
inline std::string CursorAt(const Call& call, const std::string& list, const std::string& position) {
  return call.host.cursors().Seal(call.who.caller, list, position);
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

// Converts a page of records to a page of a list, with a sealed cursor.
template <class Found, class T>
std::function<void(protocol::Result<Found>)> ToPage(const Call& call, std::string list,
                                                    Answering<Page<T>> then) {
  return [call, list = std::move(list), then = std::move(then)](protocol::Result<Found> found) {
    if (!found.ok()) return then(std::move(found.error()));
    Page<T> page;
    if (found->next) page.cursor = CursorAt(call, list, *found->next);
    page.items.items = std::move(found->items);
    then(std::move(page));
  };
}

}  // namespace parley::features
