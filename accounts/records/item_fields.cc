#include "accounts/records/item_fields.h"

namespace parley::accounts {

using storage::AttributeValue;
using storage::Item;

std::optional<std::string> OptionalTextOf(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  if (!value || !value->text()) return std::nullopt;
  return *value->text();
}

std::string TextOf(const Item& item, std::string_view name) {
  return OptionalTextOf(item, name).value_or("");
}

std::optional<int64_t> IntOf(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  if (!value || !value->number()) return std::nullopt;
  return value->number()->ToInt64();
}

std::optional<protocol::Time> TimeOf(const Item& item, std::string_view name) {
  return protocol::ParseTime(TextOf(item, name));
}

std::optional<protocol::Time> MillisOf(const Item& item, std::string_view name) {
  const auto ms = IntOf(item, name);
  return ms ? std::optional(protocol::Time{*ms}) : std::nullopt;
}

bool IsTrue(const Item& item, std::string_view name) {
  const AttributeValue* value = item.Find(name);
  const bool* held = value ? value->As<bool>() : nullptr;
  return held && *held;
}

void SetInt(Item* item, std::string_view name, int64_t value) {
  item->Set(name, AttributeValue::OfInt(value));
}

void SetTime(Item* item, std::string_view name, protocol::Time value) {
  item->Set(name, protocol::FormatTime(value));
}

void SetText(Item* item, std::string_view name, std::string_view value) {
  if (value.empty()) {
    item->Erase(name);
  } else {
    item->Set(name, value);
  }
}

}  // namespace parley::accounts
