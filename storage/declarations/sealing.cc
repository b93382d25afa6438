#include "storage/declarations/sealing.h"

#include <cassert>

#include "protocol/base/crypto.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

// WARNING: on disk. A B that begins so and does not open is the value itself, as far as sealing goes.
constexpr std::string_view kMark(
    "\xff"
    "sealed\x01",
    8);

// What the value is sealed with, so that it opens nowhere else.
std::string PlaceOf(const TableDef& def, std::string_view attribute) {
  std::string place = def.name;
  place += '\0';
  place += attribute;
  place += '\0';
  return place;
}

bool IsMarked(const AttributeValue& value) {
  const Binary* binary = value.As<Binary>();
  return binary && std::string_view(binary->bytes).starts_with(kMark);
}

std::optional<AttributeValue> Open(const TableDef& def, std::string_view key, std::string_view attribute,
                                   const AttributeValue& value) {
  const std::string_view sealed = std::string_view(value.As<Binary>()->bytes).substr(kMark.size());
  const std::optional<std::string> plain = protocol::OpenBytes(key, sealed);
  const std::string place = PlaceOf(def, attribute);
  if (!plain || !plain->starts_with(place)) return std::nullopt;
  std::string_view bytes = std::string_view(*plain).substr(place.size());
  AttributeValue opened;
  if (!TakeValue(&bytes, &opened) || !bytes.empty()) return std::nullopt;
  return opened;
}

AttributeValue Seal(const TableDef& def, std::string_view key, std::string_view attribute,
                    const AttributeValue& value) {
  std::string plain = PlaceOf(def, attribute);
  AppendValue(value, &plain);
  return Binary{std::string(kMark) + protocol::SealBytes(key, plain)};
}

template <class Each>
void ForEachSecret(const TableDef& def, Item* item, const Each& each) {
  for (auto& [name, value] : *item) {
    if (def.IsSecret(name)) each(name, value);
  }
}

}  // namespace

void SealSecrets(const TableDef& def, std::string_view key, Item* item) {
  assert(key.size() == kSealingKeyBytes);
  ForEachSecret(def, item, [&](const std::string& name, AttributeValue& value) {
    if (!IsMarked(value) || !Open(def, key, name, value)) value = Seal(def, key, name, value);
  });
}

bool OpenSecrets(const TableDef& def, std::string_view key, Item* item) {
  assert(key.size() == kSealingKeyBytes);
  bool all = true;
  ForEachSecret(def, item, [&](const std::string& name, AttributeValue& value) {
    if (!IsMarked(value)) return;
    std::optional<AttributeValue> opened = Open(def, key, name, value);
    all &= opened.has_value();
    if (opened) value = std::move(*opened);
  });
  return all;
}

void StripSecrets(const TableDef& def, Item* item) {
  std::vector<std::string> names;
  ForEachSecret(def, item, [&](const std::string& name, AttributeValue&) { names.push_back(name); });
  for (const std::string& name : names) item->Erase(name);
}

}  // namespace parley::storage
