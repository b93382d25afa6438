// Reads and writes attributes of the services' items as plain values. Pure.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/time.h"
#include "storage/items/attribute.h"

namespace parley::accounts {

// Empty, or nullopt, if the attribute is missing or has another type.
std::string TextOf(const storage::Item& item, std::string_view name);
std::optional<std::string> OptionalTextOf(const storage::Item& item, std::string_view name);
std::optional<int64_t> IntOf(const storage::Item& item, std::string_view name);
std::optional<protocol::Time> TimeOf(const storage::Item& item, std::string_view name);    // RFC 3339
std::optional<protocol::Time> MillisOf(const storage::Item& item, std::string_view name);  // epoch ms
bool IsTrue(const storage::Item& item, std::string_view name);

void SetInt(storage::Item* item, std::string_view name, int64_t value);
void SetTime(storage::Item* item, std::string_view name, protocol::Time value);
// An empty value removes the attribute.
void SetText(storage::Item* item, std::string_view name, std::string_view value);
// The same for an optional value; a template, so that no text is converted to an optional one.
template <std::same_as<std::optional<std::string>> T>
void SetText(storage::Item* item, std::string_view name, const T& value) {
  SetText(item, name, value ? std::string_view(*value) : std::string_view());
}

}  // namespace parley::accounts
