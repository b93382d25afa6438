#include "storage/declarations/sealing.h"

#include <vector>

#include "protocol/base/crypto.h"
#include "storage/items/item_codec.h"

namespace parley::storage {
namespace {

// WARNING: on disk, by earlier versions. A B that begins with it and does not open is treated as an open
// value.
constexpr std::string_view kStoreMark(
    "\xff"
    "sealed\x01",
    8);

void AppendKeyPart(const KeyAttribute& part, const Item& item, std::string* out) {
  if (const AttributeValue* value = item.Find(part.name)) AppendValue(*value, out);
  *out += '\0';
}

// The place that an item's values are sealed for: they open nowhere else.
std::string PlaceOf(const TableDef& def, const protocol::TenantId& tenant, const Item& item) {
  std::string place = tenant.ToText();
  place += '\0';
  place += def.name;
  place += '\0';
  AppendKeyPart(def.keys.hash, item, &place);
  if (def.keys.range) AppendKeyPart(*def.keys.range, item, &place);
  return place;
}

std::optional<AttributeValue> Decode(std::string_view bytes) {
  AttributeValue value;
  if (!TakeValue(&bytes, &value) || !bytes.empty()) return std::nullopt;
  return value;
}

const std::string* BinaryOf(const AttributeValue& value) {
  const Binary* binary = value.As<Binary>();
  return binary ? &binary->bytes : nullptr;
}

std::optional<SealingKeyId> SealOf(const AttributeValue& value) {
  const std::string* bytes = BinaryOf(value);
  if (!bytes) return std::nullopt;
  return bytes->starts_with(kStoreMark) ? SealingKeyId::OfStore() : SealedWith(*bytes);
}

// Opens a value of earlier versions: sealed under the store's secret, with table and attribute in the text.
std::optional<AttributeValue> OpenOfStore(const TableDef& def, const Sealer& sealer,
                                          std::string_view attribute, std::string_view sealed) {
  const std::string& key = sealer.StoreKey(SealPurpose::kAttributes);
  if (key.empty()) return std::nullopt;
  const auto plain = protocol::OpenBytes(key, sealed.substr(kStoreMark.size()));
  const std::string place = def.name + '\0' + std::string(attribute) + '\0';
  if (!plain || !plain->starts_with(place)) return std::nullopt;
  return Decode(std::string_view(*plain).substr(place.size()));
}

std::optional<AttributeValue> Open(const TableDef& def, const Sealer& sealer, const std::string& place,
                                   std::string_view attribute, const AttributeValue& value) {
  const std::string& sealed = *BinaryOf(value);
  if (sealed.starts_with(kStoreMark)) return OpenOfStore(def, sealer, attribute, sealed);
  const auto plain = sealer.Open(SealPurpose::kAttributes, place + std::string(attribute), sealed);
  return plain ? Decode(*plain) : std::nullopt;
}

AttributeValue Seal(const Sealer& sealer, const std::string& place, std::string_view attribute,
                    const AttributeValue& value) {
  std::string plain;
  AppendValue(value, &plain);
  return Binary{sealer.Seal(SealPurpose::kAttributes, place + std::string(attribute), plain)};
}

template <class Each>
void ForEachSecret(const TableDef& def, Item* item, const Each& each) {
  for (auto& [name, value] : *item) {
    if (def.IsSecret(name)) each(name, value);
  }
}

}  // namespace

void SealSecrets(const TableDef& def, const protocol::TenantId& tenant, const Sealer& sealer, Item* item) {
  const std::string place = PlaceOf(def, tenant, *item);
  ForEachSecret(def, item, [&](const std::string& name, AttributeValue& value) {
    if (!SealOf(value) || !Open(def, sealer, place, name, value)) value = Seal(sealer, place, name, value);
  });
}

bool OpenSecrets(const TableDef& def, const protocol::TenantId& tenant, const Sealer& sealer, Item* item) {
  const std::string place = PlaceOf(def, tenant, *item);
  bool all = true;
  ForEachSecret(def, item, [&](const std::string& name, AttributeValue& value) {
    if (!SealOf(value)) return;
    std::optional<AttributeValue> opened = Open(def, sealer, place, name, value);
    all &= opened.has_value();
    if (opened) value = std::move(*opened);
  });
  return all;
}

void ForEachSeal(const TableDef& def, const Item& item,
                 const std::function<void(const std::optional<SealingKeyId>&)>& visit) {
  for (const auto& [name, value] : item) {
    if (def.IsSecret(name)) visit(SealOf(value));
  }
}

void StripSecrets(const TableDef& def, Item* item) {
  std::vector<std::string> names;
  ForEachSecret(def, item, [&](const std::string& name, AttributeValue&) { names.push_back(name); });
  for (const std::string& name : names) item->Erase(name);
}

}  // namespace parley::storage
