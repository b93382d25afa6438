#include "storage/engine/table_facts.h"

#include <algorithm>

#include "storage/items/item_codec.h"

namespace parley::storage {

PartitionKey FactsRecords() {
  return RecordPartition("facts");
}
SortKey FactsKey(const TenantId& tenant, std::string_view table) {
  return KeyWriter().Tag(ItemTag::kRecord).Text(tenant.value).Text(protocol::KeyText::UpToNul(table)).Sort();
}
bool ParseFactsKey(std::string_view sort, TenantId* tenant, std::string* table) {
  KeyReader key(sort);
  return key.Tag(ItemTag::kRecord) && key.Text(&tenant->value) && key.Text(table) && key.AtEnd();
}

std::string EncodeFacts(const TableFacts& facts) {
  Item tags, out;
  for (const auto& [name, value] : facts.tags) tags.Set(name, value);
  if (!tags.empty()) out.Set("tags", AttributeValue(std::move(tags)));
  if (!facts.table_class.empty()) out.Set("class", facts.table_class);
  if (facts.encryption) out.Set("encryption", facts.encryption->key);
  return EncodeItem(out);
}

bool DecodeFacts(std::string_view bytes, TableFacts* out) {
  Item item;
  if (!DecodeItem(bytes, &item)) return false;
  for (const auto& [name, value] : item) {
    const Item* tags = name == "tags" ? value.As<Item>() : nullptr;
    if (tags) {
      for (const auto& [tag, text] : *tags) {
        if (!text.text()) return false;
        out->tags[tag] = *text.text();
      }
      continue;
    }
    if (!value.text()) return false;
    if (name == "class")
      out->table_class = *value.text();
    else if (name == "encryption")
      out->encryption = Encryption{*value.text()};
  }
  return true;
}

MaybeFault ReadFacts(const Reader& reader, const TenantId& tenant, std::string_view table, TableFacts* out) {
  std::optional<Row> row;
  if (Status status = reader.Get(FactsRecords(), FactsKey(tenant, table), &row); !status.ok())
    return FromStatus(status);
  if (row && !DecodeFacts(row->payload, out))
    return EngineFault{FaultKind::kInternal, "the facts of table " + std::string(table)};
  return {};
}

void SetFacts(ItemTransaction& tx, const TenantId& tenant, std::string_view table, const TableFacts& facts) {
  const bool is_said = facts != TableFacts();
  tx.Write(FactsRecords(), FactsKey(tenant, table),
           is_said ? std::optional(Row{1, EncodeFacts(facts)}) : std::nullopt);
}

MaybeFault DecideTag(ItemTransaction& tx, const TenantId& tenant, std::string_view table, const Tags& tags) {
  TableFacts facts;
  if (auto fault = ReadFacts(tx.reader(), tenant, table, &facts)) return fault;
  for (const auto& [name, value] : tags) facts.tags[name] = value;
  if (facts.tags.size() > kTagsMax)
    return Invalid("One or more parameter values were invalid: Too many tags, a table has at most " +
                   std::to_string(kTagsMax));
  SetFacts(tx, tenant, table, facts);
  return {};
}

MaybeFault DecideUntag(ItemTransaction& tx, const TenantId& tenant, std::string_view table,
                       const std::vector<std::string>& names) {
  TableFacts facts;
  if (auto fault = ReadFacts(tx.reader(), tenant, table, &facts)) return fault;
  const size_t before = facts.tags.size();
  for (const std::string& name : names) facts.tags.erase(name);
  if (facts.tags.size() != before) SetFacts(tx, tenant, table, facts);
  return {};
}

}  // namespace parley::storage
