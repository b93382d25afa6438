// What services read of the items that they keep, and write to them: attributes as plain values. Pure.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/time.h"
#include "storage/items/attribute.h"

namespace parley::accounts {

// Empty, or nullopt, where there is none, or one of another type.
std::string TextOf(const storage::Item& item, std::string_view name);
std::optional<std::string> OptionalTextOf(const storage::Item& item, std::string_view name);
std::optional<int64_t> IntOf(const storage::Item& item, std::string_view name);
std::optional<protocol::Time> TimeOf(const storage::Item& item, std::string_view name);    // RFC 3339
std::optional<protocol::Time> MillisOf(const storage::Item& item, std::string_view name);  // epoch ms
bool IsTrue(const storage::Item& item, std::string_view name);

void SetInt(storage::Item* item, std::string_view name, int64_t value);
void SetTime(storage::Item* item, std::string_view name, protocol::Time value);
// Empty: the attribute is taken away.
void SetText(storage::Item* item, std::string_view name, std::string_view value);
// The same where there may be none; a template, so that no text is taken for an optional one.
template <std::same_as<std::optional<std::string>> T>
void SetText(storage::Item* item, std::string_view name, const T& value) {
  SetText(item, name, value ? std::string_view(*value) : std::string_view());
}

}  // namespace parley::accounts
