#include "storage/declarations/load.h"

#include <limits>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "storage/declarations/attribute_reader.h"
#include "storage/declarations/checks.h"
#include "storage/declarations/object_reader.h"

namespace parley::storage {
namespace {

using protocol::Value;

constexpr size_t kDocumentBytesMax = 1 << 20;
constexpr int64_t kNumberMax = std::numeric_limits<uint16_t>::max();

const std::map<std::string_view, AttributeType> kKeyTypes = {
    {"S", AttributeType::kString}, {"N", AttributeType::kNumber}, {"B", AttributeType::kBinary}};
const std::map<std::string_view, TableDef::Owner> kOwners = {{"tenant", TableDef::Owner::kTenant},
                                                             {"peripheral", TableDef::Owner::kPeripheral},
                                                             {"services", TableDef::Owner::kServices},
                                                             {"view", TableDef::Owner::kView}};
const std::map<std::string_view, IndexKind> kIndexKinds = {{"global", IndexKind::kGlobal},
                                                           {"local", IndexKind::kLocal}};
const std::map<std::string_view, IndexProjection::Kind> kProjections = {
    {"ALL", IndexProjection::Kind::kAll},
    {"KEYS_ONLY", IndexProjection::Kind::kKeysOnly},
    {"INCLUDE", IndexProjection::Kind::kInclude}};
KeyAttribute ReadKey(const Value& value, const std::string& place, Faults* faults) {
  ObjectReader reader(value, place, faults);
  KeyAttribute key;
  std::optional<AttributeType> type;
  reader.Text("name", &key.name);
  reader.Choice("type", kKeyTypes, &type);
  reader.Done();
  if (type) key.type = *type;
  return key;
}

KeySchema ReadKeys(ObjectReader& reader) {
  KeySchema keys;
  const Value* hash = reader.Any("hash");
  if (!hash) {
    reader.Fault("no member \"hash\"");
  } else {
    keys.hash = ReadKey(*hash, reader.place() + ": hash", reader.faults());
  }
  if (const Value* range = reader.Any("range"))
    keys.range = ReadKey(*range, reader.place() + ": range", reader.faults());
  return keys;
}

IndexDef ReadIndex(ObjectReader& reader) {
  IndexDef index;
  std::optional<int64_t> number;
  std::optional<IndexKind> kind;
  std::optional<IndexProjection::Kind> projection;
  reader.Integer("number", 1, kNumberMax, &number);
  reader.Text("name", &index.name);
  reader.Choice("kind", kIndexKinds, &kind);
  index.keys = ReadKeys(reader);
  reader.Choice("projection", kProjections, &projection);
  reader.Texts("include", &index.projection.include);
  if (!number) reader.Fault("no \"number\"");
  index.number = static_cast<uint16_t>(number.value_or(0));
  index.kind = kind.value_or(IndexKind::kGlobal);
  index.projection.kind = projection.value_or(IndexProjection::Kind::kAll);
  return index;
}

DerivedAttribute ReadDerived(ObjectReader& reader) {
  DerivedAttribute derived;
  reader.Text("name", &derived.name);
  reader.Text("pattern", &derived.pattern);
  derived.when = ReadCondition(reader, "when");
  reader.Texts("unless", &derived.unless);
  return derived;
}

ItemKind ReadKind(ObjectReader& reader, const std::vector<AttributeRule>& common) {
  ItemKind kind;
  reader.Text("kind", &kind.name);
  reader.Text("hash", &kind.hash);
  reader.OptionalText("range", &kind.range);
  reader.Texts("parts", &kind.parts);
  reader.OptionalText("about", &kind.about);
  reader.Objects("attributes", [&](ObjectReader& one) { kind.attributes.push_back(ReadAttribute(one)); });
  reader.Objects("derived", [&](ObjectReader& one) { kind.derived.push_back(ReadDerived(one)); });
  kind.attributes.insert(kind.attributes.end(), common.begin(), common.end());
  return kind;
}

UniqueRule ReadUnique(ObjectReader& reader) {
  UniqueRule rule;
  std::optional<int64_t> number;
  reader.Integer("number", 1, kNumberMax, &number);
  reader.Texts("attributes", &rule.attributes);
  reader.Flag("global", &rule.global);
  if (!number) reader.Fault("no \"number\"");
  if (rule.attributes.empty()) reader.Fault("no \"attributes\"");
  rule.number = static_cast<uint16_t>(number.value_or(0));
  return rule;
}

AccessPattern ReadPattern(ObjectReader& reader) {
  AccessPattern pattern;
  reader.Text("id", &pattern.id);
  reader.Text("what", &pattern.what);
  reader.Text("how", &pattern.how);
  return pattern;
}

void ReadStamps(ObjectReader& reader, TableDef* def) {
  const Value* value = reader.Any("stamps");
  if (!value) return;
  ObjectReader stamps(*value, reader.place() + ": stamps", reader.faults());
  stamps.OptionalText("created", &def->created_attribute);
  stamps.OptionalText("updated", &def->updated_attribute);
  stamps.Done();
}

// Derived from the name, so equal at each start; in the form of a UUID of version 8 (RFC 9562).
std::string IdOf(const std::string& table) {
  return protocol::UuidText(protocol::Sha256("parley table " + table).substr(0, 16), 8);
}

TableDef ReadTable(ObjectReader& reader, const std::vector<AttributeRule>& common) {
  TableDef def;
  std::optional<TableDef::Owner> owner;
  reader.Text("name", &def.name);
  reader.Text("about", &def.about);
  reader.Texts("notes", &def.notes);
  reader.Choice("owner", kOwners, &owner);
  def.owner = owner.value_or(TableDef::Owner::kTenant);
  if (const Value* value = reader.Any("keys")) {
    ObjectReader keys(*value, reader.place() + ": keys", reader.faults());
    def.keys = ReadKeys(keys);
    keys.Done();
  } else {
    reader.Fault("no member \"keys\"");
  }
  reader.Objects("indexes", [&](ObjectReader& one) { def.indexes.push_back(ReadIndex(one)); });
  reader.OptionalText("ttl", &def.ttl_attribute);
  reader.OptionalText("version", &def.version_attribute);
  ReadStamps(reader, &def);
  reader.Flag("streamImages", &def.stream_images);
  reader.Objects("items", [&](ObjectReader& one) { def.kinds.push_back(ReadKind(one, common)); });
  reader.Objects("unique", [&](ObjectReader& one) { def.unique.push_back(ReadUnique(one)); });
  reader.Objects("patterns", [&](ObjectReader& one) { def.patterns.push_back(ReadPattern(one)); });
  return def;
}

void ReadSystem(ObjectReader& reader, SystemDef* out) {
  reader.Text("system", &out->name);
  reader.Text("about", &out->about);
  reader.Texts("notes", &out->notes);
  reader.Objects("common", [&](ObjectReader& one) { out->common.push_back(ReadAttribute(one)); });
  reader.Objects("patterns", [&](ObjectReader& one) { out->patterns.push_back(ReadPattern(one)); });
  reader.Objects("tables", [&](ObjectReader& one) {
    auto table = std::make_shared<TableDef>(ReadTable(one, out->common));
    table->system = out->name;
    table->id = IdOf(table->name);
    CheckTable(*table, one.place() + (table->name.empty() ? "" : " (" + table->name + ")"), one.faults());
    out->tables.push_back(std::move(table));
  });
  reader.Done();
}

}  // namespace

std::vector<std::string> LoadSystem(std::string_view file, std::string_view text, SystemDef* out) {
  protocol::Document document;
  protocol::DecodeLimits limits;
  limits.max_bytes = kDocumentBytesMax;
  const std::string place(file);
  if (const char* why = protocol::DecodeJson(std::string(text), limits, &document))
    return {place + ": " + why};
  Faults faults;
  SystemDef made;
  ObjectReader reader(document.root, place, &faults);
  ReadSystem(reader, &made);
  CheckNames({made}, place, &faults);
  if (faults.all().empty()) *out = std::move(made);
  return faults.all();
}

}  // namespace parley::storage
