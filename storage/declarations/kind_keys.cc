#include "storage/declarations/kind_keys.h"

#include <algorithm>

#include "storage/declarations/template.h"

namespace parley::storage {
namespace {

void BuildKey(const KeyAttribute& key, const std::string& text, const Item& from, Item* keys,
              AttributeFaults* faults) {
  Template::Filled filled = Template::Must(text).Fill(from);
  if (!filled.value) {
    faults->Add(filled.attribute, filled.why.empty() ? "is needed for the key " + key.name : filled.why);
  } else if (filled.value->type() != key.type) {
    faults->Add(key.name, "must be " + std::string(NameOf(key.type)));
  } else {
    keys->Set(key.name, std::move(*filled.value));
  }
}

// Adds the parts in the key; returns false if the key has another form.
bool TakeParts(const KeyAttribute& key, const std::string& text, const Item& item, Item* parts) {
  const AttributeValue* value = item.Find(key.name);
  if (!value) return false;
  const Template made = Template::Must(text);
  if (made.is_whole()) {
    parts->Set(made.Names().front(), *value);
    return true;
  }
  const std::optional<Item> found = value->text() ? made.Match(*value->text()) : std::nullopt;
  if (!found) return false;
  for (const auto& [name, part] : *found) parts->Set(name, part);
  return true;
}

bool KeepsToEnums(const ItemKind& kind, const Item& item) {
  return std::all_of(kind.attributes.begin(), kind.attributes.end(), [&](const AttributeRule& rule) {
    const AttributeValue* value = item.Find(rule.name);
    if (rule.one_of.empty() || !value || !value->text()) return true;
    return std::find(rule.one_of.begin(), rule.one_of.end(), *value->text()) != rule.one_of.end();
  });
}

bool IsOfKind(const TableDef& def, const ItemKind& kind, const Item& item) {
  Item parts;
  return TakeParts(def.keys.hash, kind.hash, item, &parts) &&
         (!def.keys.range || TakeParts(*def.keys.range, kind.range, item, &parts));
}

}  // namespace

void AttributeFaults::Add(std::string_view attribute, std::string_view why) {
  const bool is_known = std::any_of(all_.begin(), all_.end(),
                                    [&](const AttributeFault& one) { return one.attribute == attribute; });
  if (!is_known) all_.push_back({std::string(attribute), std::string(why)});
}

Item BuildKeys(const TableDef& def, const ItemKind& kind, const Item& from, AttributeFaults* faults) {
  Item keys;
  BuildKey(def.keys.hash, kind.hash, from, &keys, faults);
  if (def.keys.range) BuildKey(*def.keys.range, kind.range, from, &keys, faults);
  return keys;
}

Item PartsOf(const TableDef& def, const ItemKind& kind, const Item& item) {
  Item parts;
  TakeParts(def.keys.hash, kind.hash, item, &parts);
  if (def.keys.range) TakeParts(*def.keys.range, kind.range, item, &parts);
  return parts;
}

const ItemKind* FindKind(const TableDef& def, const Item& item) {
  const ItemKind* best = nullptr;
  std::pair<size_t, bool> best_rank;
  for (const ItemKind& kind : def.kinds) {
    if (!IsOfKind(def, kind, item)) continue;
    const size_t size = Template::Must(kind.hash).literal_size() + Template::Must(kind.range).literal_size();
    const std::pair rank(size, KeepsToEnums(kind, item));
    if (!best || rank > best_rank) {
      best = &kind;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace parley::storage
