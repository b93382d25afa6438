#include <gtest/gtest.h>

#include "storage/declarations/load.h"
#include "tests/storage/declarations/shown.h"

namespace parley::storage {

std::string Shown(const AttributeValue& value) {
  if (const std::string* text = value.text()) return '"' + *text + '"';
  if (const Number* number = value.number()) return number->ToText();
  if (const bool* flag = value.As<bool>()) return *flag ? "true" : "false";
  if (const Item* map = value.As<Item>()) return "{" + Shown(*map) + "}";
  if (const List* list = value.As<List>()) {
    std::string text;
    for (const AttributeValue& one : *list) text += (text.empty() ? "" : ", ") + Shown(one);
    return "[" + text + "]";
  }
  return value.type() == AttributeType::kNull ? "null" : "<" + std::string(NameOf(value.type())) + ">";
}

std::string Shown(const Item& item) {
  std::string text;
  for (const auto& [name, value] : item) text += (text.empty() ? "" : " ") + name + "=" + Shown(value);
  return text;
}

std::string Shown(const std::vector<AttributeFault>& faults) {
  std::string text;
  for (const AttributeFault& one : faults)
    text += (text.empty() ? "" : "; ") + one.attribute + ": " + one.why;
  return text;
}

const TableDef& SeedTable(std::string_view name) {
  for (const TableDefPtr& one : SeedTables()) {
    if (one->name == name) return *one;
  }
  ADD_FAILURE() << "no table " << name;
  static const TableDef kNone;
  return kNone;
}

const ItemKind& KindOf(const TableDef& table, std::string_view kind) {
  for (const ItemKind& one : table.kinds) {
    if (one.name == kind) return one;
  }
  ADD_FAILURE() << table.name << " has no kind " << kind;
  static const ItemKind kNone;
  return kNone;
}

}  // namespace parley::storage
