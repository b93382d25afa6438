// Reads the members of a request's JSON object by name and type. A member of a wrong type is a
// SerializationException. Values that violate constraints are reported all together, in Amazon's words. After
// the first fault, reads return empty values.
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
  // `at`: its place within the request, for messages ("" for the request itself).
  explicit RequestBody(const protocol::Value& json, std::string at = {});

  // An absent and a null member are the same.
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  const protocol::Value* Find(std::string_view name) const;
  std::string PlaceOf(std::string_view name) const;  // its name in messages
  std::optional<std::string> Text(std::string_view name);
  std::optional<bool> Bool(std::string_view name);
  std::optional<int64_t> Int(std::string_view name);
  std::optional<storage::AttributeValue> Attribute(std::string_view name);
  std::optional<storage::Item> Item(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  // Return the members of an object and the elements of a list, or nullptr if absent.
  const protocol::Map* Map(std::string_view name);
  const protocol::Array* List(std::string_view name);

  // Constraints, reported together by Check().
  std::string Required(std::string_view name);  // a text that must be given
  std::string NameOf(std::string_view name);    // … in the form of a table's or an index's name
  // Reads "TableName": a name, or the ARN of a table, whose name is returned. kItem: operations on items use
  // other words and then report no other constraint.
  enum class NamedFor : uint8_t { kTable, kItem };
  std::string TableName(NamedFor named_for = NamedFor::kTable);
  void RequireMember(std::string_view name);
  std::string OneOf(std::string_view name, std::vector<std::string_view> choices, std::string_view fallback);
  std::optional<int64_t> IntWithin(std::string_view name, int64_t least, int64_t most);
  void Violates(std::string_view name, const std::string& value, const std::string& constraint);

  // Reads a text of at least `least` and at most `most` bytes.
  std::string TextWithin(std::string_view name, size_t least, size_t most);
  // Returns the elements, or an empty list if there are too many.
  const protocol::Array& ListWithin(std::string_view name, size_t least, size_t most);

  // Takes over the faults of a part of the request.
  void Take(const RequestBody& part);
  void Fail(DynamoError error);
  // Reports a fault only if no type is wrong and no constraint is violated; the first one counts.
  void FailLate(DynamoError error);
  bool failed() const { return fault_.has_value(); }
  // Returns the first fault, or all violated constraints, or nullopt if none was found so far.
  std::optional<DynamoError> Check();

 private:
  void CheckForm(std::string_view name, const std::string& text);
  void FailName(NamedFor named_for, const std::string& value, const std::string& constraint);

  const protocol::Value& json_;
  const std::string at_;
  std::optional<DynamoError> fault_, name_fault_, value_fault_;  // in the order in which they are reported
  std::vector<std::string> violations_;
};

// Returns the name in "arn:aws:dynamodb:REGION:ACCOUNT:table/NAME", for any region and account, or nullopt
// for another form.
std::optional<std::string> TableNameInArn(std::string_view arn);

inline DynamoError ValidationError(std::string message) {
  return {DynamoErrorType::kValidation, std::move(message)};
}

}  // namespace parley::gateway
