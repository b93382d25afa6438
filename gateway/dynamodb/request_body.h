// The members of a request's JSON object, by name and type. A member of a wrong type is a
// SerializationException, a value outside its constraint is told as Amazon tells it, all of them at once;
// the first fault stays, and what is read after it is empty.
//
// Not thread-safe; lives while the request is read. The JSON outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/dynamodb/errors.h"
#include "protocol/value.h"
#include "storage/items/attribute.h"

namespace parley::gateway {

class RequestBody {
 public:
  // `at`: where it is within the request, for messages ("" for the request itself).
  explicit RequestBody(const protocol::Value& json, std::string at = {});

  // Absent and null are the same.
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  const protocol::Value* Find(std::string_view name) const;
  std::string PlaceOf(std::string_view name) const;  // as messages name it
  std::optional<std::string> Text(std::string_view name);
  std::optional<bool> Bool(std::string_view name);
  std::optional<int64_t> Int(std::string_view name);
  std::optional<storage::AttributeValue> Attribute(std::string_view name);
  std::optional<storage::Item> Item(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  // Members of an object, elements of a list; nullptr where there is none.
  const protocol::Map* Map(std::string_view name);
  const protocol::Array* List(std::string_view name);

  // Constraints, told together by Check().
  std::string Required(std::string_view name);  // a text that must be there
  std::string NameOf(std::string_view name);    // … of the form of a table's or an index's name
  // "TableName": a name, or the ARN of a table, of which the name is returned. kItem: in the words
  // of operations on items, which tell of no other constraint then.
  enum class NamedFor : uint8_t { kTable, kItem };
  std::string TableName(NamedFor named_for = NamedFor::kTable);
  void RequireMember(std::string_view name);
  std::string OneOf(std::string_view name, std::vector<std::string_view> choices, std::string_view fallback);
  std::optional<int64_t> IntWithin(std::string_view name, int64_t least, int64_t most);
  void Violates(std::string_view name, const std::string& value, const std::string& constraint);

  // A text of so many bytes.
  std::string TextWithin(std::string_view name, size_t least, size_t most);
  // The elements, if there are at most so many; none otherwise.
  const protocol::Array& ListWithin(std::string_view name, size_t least, size_t most);

  // What is wrong in a part is wrong in the whole.
  void Take(const RequestBody& part);
  void Fail(DynamoError error);
  // Told only where no type and no constraint is wrong; the first stays.
  void FailLate(DynamoError error);
  bool failed() const { return fault_.has_value(); }
  // The first fault, or all violated constraints; nullopt: sound so far.
  std::optional<DynamoError> Check();

 private:
  void CheckForm(std::string_view name, const std::string& text);
  void FailName(NamedFor named_for, const std::string& value, const std::string& constraint);

  const protocol::Value& json_;
  const std::string at_;
  std::optional<DynamoError> fault_, name_fault_, value_fault_;  // in the order in which they are told
  std::vector<std::string> violations_;
};

// The name in "arn:aws:dynamodb:REGION:ACCOUNT:table/NAME"; any region and account will do. nullopt: not of
// that form.
std::optional<std::string> TableNameInArn(std::string_view arn);

inline DynamoError ValidationError(std::string message) {
  return {DynamoErrorType::kValidation, std::move(message)};
}

}  // namespace parley::gateway
