#include "gateway/dynamodb/table_wish.h"

#include <functional>

namespace parley::gateway {
namespace {

using storage::AttributeType;

// More than any valid request has, so that checking one stays cheap.
constexpr size_t kWishListMax = 255;
constexpr size_t kNonKeysMax = 20;  // per index
constexpr size_t kKeysMax = 2;      // per table or local index
constexpr size_t kGlobalKeysMax = 2 * storage::kKeyAttributesMax;

// Reads the elements of a list by `read`.
template <class T>
void ReadEach(RequestBody& body, std::string_view name, const protocol::Array& list, std::vector<T>* out,
              const std::function<T(RequestBody&)>& read) {
  for (size_t i = 0; i < list.size(); ++i) {
    RequestBody part(list[i], body.PlaceOf(name) + "." + std::to_string(i + 1) + ".member");
    out->push_back(read(part));
    body.Take(part);
  }
}
// Reads one member, which is an object, by `read`.
template <class Read>
void ReadPart(RequestBody& body, std::string_view name, Read read) {
  if (!body.Map(name)) return;
  RequestBody part(*body.Find(name), body.PlaceOf(name));
  read(part);
  body.Take(part);
}

KeyWish ReadKey(RequestBody& body) {
  KeyWish key;
  key.name = body.TextWithin("AttributeName", 1, 255);
  body.RequireMember("KeyType");
  key.role = body.OneOf("KeyType", {"HASH", "RANGE"}, "");
  return key;
}

// Lists the elements of a key that has too many, for the message; cuts a long list.
std::string Shown(const protocol::Array& keys) {
  constexpr size_t kShownMax = 8, kNameBytesMax = 255;
  std::string out;
  for (size_t i = 0; i < keys.size() && i < kShownMax; ++i) {
    const auto text = [&](std::string_view member) {
      const protocol::Value* value = keys[i].as_map() ? keys[i].Find(member) : nullptr;
      return value && value->as_text() ? std::string(value->as_text()->substr(0, kNameBytesMax)) : "null";
    };
    out += (i > 0 ? ", " : "") + ("KeySchemaElement(attributeName=" + text("AttributeName")) +
           ", keyType=" + text("KeyType") + ")";
  }
  return "[" + out + (keys.size() > kShownMax ? ", …]" : "]");
}

std::vector<KeyWish> ReadKeys(RequestBody& body, size_t most) {
  std::vector<KeyWish> keys;
  body.RequireMember("KeySchema");
  const protocol::Array* list = body.List("KeySchema");
  if (!list) return keys;
  if (list->empty()) body.Violates("KeySchema", "'[]'", "Member must have length greater than or equal to 1");
  if (list->size() > most) {
    body.Violates("KeySchema", "'" + Shown(*list) + "'",
                  "Member must have length less than or equal to " + std::to_string(most));
    return keys;
  }
  ReadEach<KeyWish>(body, "KeySchema", *list, &keys, ReadKey);
  return keys;
}

storage::KeyAttribute ReadDefinition(RequestBody& body) {
  storage::KeyAttribute out;
  out.name = body.TextWithin("AttributeName", 1, 255);
  body.RequireMember("AttributeType");
  const std::string type = body.OneOf("AttributeType", {"B", "N", "S"}, "S");
  out.type = storage::AttributeTypeNamed(type).value_or(AttributeType::kString);
  return out;
}

void ReadProjection(RequestBody& body, IndexWish* index) {
  body.RequireMember("Projection");
  ReadPart(body, "Projection", [&](RequestBody& part) {
    index->projection = part.OneOf("ProjectionType", {"ALL", "INCLUDE", "KEYS_ONLY"}, "");
    if (!part.Has("NonKeyAttributes")) return;
    part.ListWithin("NonKeyAttributes", 1, kNonKeysMax);
    index->non_keys = part.Texts("NonKeyAttributes");
    for (const std::string& name : *index->non_keys) {
      if (name.empty() || name.size() > 255)
        part.Violates("NonKeyAttributes", "'[…]'",
                      "Member must satisfy constraint: [Member must have length less than or equal to 255, "
                      "Member must have length greater than or equal to 1]");
    }
  });
}

std::optional<std::vector<IndexWish>> ReadIndexes(RequestBody& body, std::string_view name, bool global) {
  if (!body.Has(name)) return std::nullopt;
  std::vector<IndexWish> out;
  ReadEach<IndexWish>(body, name, body.ListWithin(name, 0, kWishListMax), &out,
                      [global](RequestBody& part) { return ReadIndexWish(part, global); });
  return out;
}

}  // namespace

std::vector<storage::KeyAttribute> ReadAttributeDefinitions(RequestBody& body) {
  std::vector<storage::KeyAttribute> out;
  ReadEach<storage::KeyAttribute>(body, "AttributeDefinitions",
                                  body.ListWithin("AttributeDefinitions", 0, kWishListMax), &out,
                                  ReadDefinition);
  return out;
}

std::optional<storage::BillingMode> ReadBillingMode(RequestBody& body) {
  if (!body.Has("BillingMode")) return std::nullopt;
  return body.OneOf("BillingMode", {"PROVISIONED", "PAY_PER_REQUEST"}, "") == "PROVISIONED"
             ? storage::BillingMode::kProvisioned
             : storage::BillingMode::kPayPerRequest;
}

std::optional<storage::Throughput> ReadThroughput(RequestBody& body) {
  std::optional<storage::Throughput> out;
  ReadPart(body, "ProvisionedThroughput", [&](RequestBody& part) {
    part.RequireMember("WriteCapacityUnits");
    part.RequireMember("ReadCapacityUnits");
    out.emplace();
    out->write = part.IntWithin("WriteCapacityUnits", 1, INT64_MAX).value_or(0);
    out->read = part.IntWithin("ReadCapacityUnits", 1, INT64_MAX).value_or(0);
  });
  return out;
}

std::string ReadIndexName(RequestBody& body) {
  return body.NameOf("IndexName");
}

IndexWish ReadIndexWish(RequestBody& body, bool global) {
  IndexWish out;
  out.name = ReadIndexName(body);
  out.keys = ReadKeys(body, global ? kGlobalKeysMax : kKeysMax);
  ReadProjection(body, &out);
  if (global) out.throughput = ReadThroughput(body);
  return out;
}

storage::Tags ReadTags(RequestBody& body) {
  storage::Tags out;
  const protocol::Array& list = body.ListWithin("Tags", 0, storage::kTagsMax);
  for (size_t i = 0; i < list.size(); ++i) {
    RequestBody part(list[i], body.PlaceOf("Tags") + "." + std::to_string(i + 1) + ".member");
    const std::string key = part.TextWithin("Key", 1, 128);
    if (key.starts_with("aws:"))
      part.FailLate(
          ValidationError("One or more parameter values were invalid: Tag keys do not begin with aws:"));
    if (!out.emplace(key, part.TextWithin("Value", 0, 256)).second)
      part.FailLate(ValidationError("One or more parameter values were invalid: Duplicate tag key: " + key));
    body.Take(part);
  }
  return out;
}

FactsWish ReadFactsWish(RequestBody& body) {
  constexpr size_t kKeyBytesMax = 2048;
  FactsWish out;
  ReadPart(body, "StreamSpecification", [&](RequestBody& part) {
    if (part.Bool("StreamEnabled").value_or(false))
      part.FailLate(ValidationError("One or more parameter values were invalid: Streams are not available"));
  });
  ReadPart(body, "SSESpecification", [&](RequestBody& part) {
    part.OneOf("SSEType", {"AES256", "KMS"}, "");
    storage::Encryption encryption;
    if (part.Has("KMSMasterKeyId")) encryption.key = part.TextWithin("KMSMasterKeyId", 1, kKeyBytesMax);
    out.encryption.emplace();
    if (part.Bool("Enabled").value_or(false)) *out.encryption = std::move(encryption);
  });
  if (body.Has("TableClass"))
    out.table_class = body.OneOf("TableClass", {"STANDARD", "STANDARD_INFREQUENT_ACCESS"}, "");
  return out;
}

bool FactsWish::Apply(storage::TableFacts* facts) const {
  const storage::TableFacts before = *facts;
  if (table_class) facts->table_class = *table_class;
  if (encryption) facts->encryption = *encryption;
  return *facts != before;
}

TableWish ReadTableWish(RequestBody& body) {
  TableWish wish;
  body.RequireMember("AttributeDefinitions");
  wish.attributes = ReadAttributeDefinitions(body);
  wish.name = body.TableName();
  wish.billing = ReadBillingMode(body);
  wish.throughput = ReadThroughput(body);
  wish.keys = ReadKeys(body, kKeysMax);
  wish.locals = ReadIndexes(body, "LocalSecondaryIndexes", false);
  wish.globals = ReadIndexes(body, "GlobalSecondaryIndexes", true);
  wish.deletion_protection = body.Bool("DeletionProtectionEnabled").value_or(false);
  ReadFactsWish(body).Apply(&wish.facts);
  wish.facts.tags = ReadTags(body);
  return wish;
}

}  // namespace parley::gateway
