#include "gateway/dynamodb/capacity.h"

#include <algorithm>
#include <cstdio>

#include "gateway/dynamodb/attribute_json.h"
#include "protocol/base/json_text.h"
#include "storage/engine/item_keys.h"

namespace parley::gateway {
namespace {

constexpr size_t kReadUnit = 4096, kWriteUnit = 1024;

double Units(size_t bytes, size_t unit) {
  return static_cast<double>(std::max<size_t>(1, (bytes + unit - 1) / unit));
}

std::string UnitsText(double units) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", units);
  std::string out = text;
  return out.find('.') == std::string::npos ? out + ".0" : out;
}

std::string Units(double units) {
  return "{\"CapacityUnits\":" + UnitsText(units) + "}";
}

std::string ByIndex(const std::map<std::string, double>& indexes) {
  std::string out;
  for (const auto& [name, units] : indexes)
    out += (out.empty() ? "{" : ",") + protocol::JsonText(name) + ":" + Units(units);
  return out + "}";
}

// The write units of an index: those of its old and its new entry.
double IndexUnits(const storage::TableDef& def, const storage::IndexDef& index,
                  const storage::WriteReply& write) {
  const auto entry = [&](const std::optional<storage::Item>& item) -> std::optional<storage::Item> {
    if (!item || !storage::KeyOf(index.keys, *item)) return std::nullopt;
    return storage::Projected(def, index, *item);
  };
  const auto before = entry(write.before), after = entry(write.after);
  if (before == after) return 0;
  const auto weigh = [](const std::optional<storage::Item>& item) {
    return item ? Units(storage::ItemSize(*item), kWriteUnit) : 0;
  };
  const bool moves =
      before && after && storage::KeyOf(index.keys, *before) != storage::KeyOf(index.keys, *after);
  return moves ? weigh(before) + weigh(after) : std::max(weigh(before), weigh(after));
}

}  // namespace

double Capacity::total() const {
  double sum = table;
  for (const auto* indexes : {&local, &global}) {
    for (const auto& [name, units] : *indexes) sum += units;
  }
  return sum;
}

void Capacity::Add(const Capacity& other) {
  table += other.table;
  for (const auto& [name, units] : other.local) local[name] += units;
  for (const auto& [name, units] : other.global) global[name] += units;
}

Capacity ReadCapacity(size_t bytes, bool consistent, const storage::IndexDef* index) {
  const double units = Units(bytes, kReadUnit) * (consistent ? 1 : 0.5);
  Capacity capacity;
  if (!index) {
    capacity.table = units;
  } else {
    (index->kind == storage::IndexKind::kLocal ? capacity.local : capacity.global)[index->name] = units;
  }
  return capacity;
}

Capacity WriteCapacity(const storage::WriteReply& write) {
  const auto size = [](const std::optional<storage::Item>& item) {
    return item ? storage::ItemSize(*item) : 0;
  };
  Capacity capacity;
  capacity.table = Units(std::max(size(write.before), size(write.after)), kWriteUnit);
  if (!write.table) return capacity;
  for (const storage::IndexDef& index : write.table->indexes) {
    const double units = IndexUnits(*write.table, index, write);
    if (units > 0)
      (index.kind == storage::IndexKind::kLocal ? capacity.local : capacity.global)[index.name] = units;
  }
  return capacity;
}

Capacity Doubled(Capacity capacity) {
  Capacity twice = capacity;
  twice.Add(capacity);
  return twice;
}

std::string CapacityJson(const std::string& table, const Capacity& capacity, CapacityDetail detail) {
  std::string out =
      "{\"TableName\":" + protocol::JsonText(table) + ",\"CapacityUnits\":" + UnitsText(capacity.total());
  if (detail == CapacityDetail::kIndexes) {
    out += ",\"Table\":" + Units(capacity.table);
    if (!capacity.local.empty()) out += ",\"LocalSecondaryIndexes\":" + ByIndex(capacity.local);
    if (!capacity.global.empty()) out += ",\"GlobalSecondaryIndexes\":" + ByIndex(capacity.global);
  }
  return out + "}";
}

}  // namespace parley::gateway
