// DynamoDB's expressions (Amazon DynamoDB Developer Guide, "Using expressions"): the text of a request is
// parsed once, with its names and values substituted, and then evaluated on items. The legacy parameters
// (KeyConditions, Expected, AttributeUpdates, ScanFilter, AttributesToGet) become the same trees (legacy.h).
//
// A fault is the message that DynamoDB's users know; empty on success. Parsing is bounded (limits.h) in
// length, depth, operators and operands, and takes time linear in the text. Evaluation never fails unless its
// comment says so.
//
// Thread-safe once parsed.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/declarations/table_def.h"
#include "storage/expressions/effort.h"
#include "storage/items/attribute.h"

namespace parley::storage {

using Fault = std::string;

// The names and values that all expressions of a request share, and which of them were used.
class Placeholders {
 public:
  using Names = std::map<std::string, std::string, std::less<>>;      // "#n" to "name"
  using Values = std::map<std::string, AttributeValue, std::less<>>;  // ":v" to the value
  // Checks the form of each ("#" or ":" and then letters, digits, _). REQUIRES: call it first.
  Fault SetNames(Names names);
  Fault SetValues(Values values);
  // Returns nullptr if not given. Marks it as used.
  const std::string* Name(std::string_view placeholder);
  const AttributeValue* Value(std::string_view placeholder) { return SharedValue(placeholder).get(); }
  // Trees share values, so that a value that is named often is stored once.
  std::shared_ptr<const AttributeValue> SharedValue(std::string_view placeholder);
  // Reports unused names and values. Call it after all expressions of the request were parsed.
  Fault UnusedFault() const;

 private:
  Names names_;
  std::map<std::string, std::shared_ptr<const AttributeValue>, std::less<>> values_;
  std::set<std::string, std::less<>> used_;
};

// A place within an item: a name, then names and list positions.
struct PathStep {
  std::string name;  // empty: `position` within a list
  size_t position = 0;
  bool is_position() const { return name.empty(); }
  friend bool operator==(const PathStep&, const PathStep&) = default;
};
using Path = std::vector<PathStep>;  // not empty; begins with a name
// nullptr if the item has nothing at the path
const AttributeValue* Resolve(const Item& item, const Path& path);
std::string TextOf(const Path& path);  // "a.b[2]"

// ConditionExpression and FilterExpression.
class Condition {
 public:
  struct Node;
  Condition();  // true for everything
  explicit Condition(std::shared_ptr<const Node> root);
  bool empty() const { return !root_; }
  // A missing item is an empty one. The result is meaningless if `effort` is exhausted.
  bool Holds(const Item& item, Effort* effort) const;
  bool Holds(const Item& item) const;
  // The first names of its paths, and those of them that a path enters.
  std::vector<std::string> TopNames() const;
  std::vector<std::string> EnteredNames() const;

 private:
  std::vector<Path> Paths() const;

  std::shared_ptr<const Node> root_;
};
// `kind` is the parameter's name, for the message.
Fault ParseCondition(std::string_view kind, std::string_view text, Placeholders* placeholders,
                     Condition* out);

// KeyConditionExpression, against the keys of a table or an index.
struct KeyCondition {
  enum class Op : uint8_t {
    kNone,
    kEqual,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kBetween,
    kBeginsWith
  };
  AttributeValue hash;
  Op op = Op::kNone;         // for the sort key, or for its attribute after those in `equal`
  AttributeValue low, high;  // `high` for kBetween only
  std::vector<AttributeValue> more_hash = {}, equal = {};  // for keys with several attributes
};
// One attribute compared with one value or two.
struct KeyPart {
  std::string attribute;
  KeyCondition::Op op = KeyCondition::Op::kNone;  // kNone: no key can be looked up by it
  AttributeValue low, high;
};
// The same in the steps between which DynamoDB makes other checks: all expressions are parsed before any
// fault of Compile, and the table is looked up before any fault of Bind.
class KeyExpression {
 public:
  KeyExpression() = default;
  explicit KeyExpression(std::vector<KeyPart> parts) : parts_(std::move(parts)) {}
  Fault Parse(std::string_view text, Placeholders* placeholders);
  Fault Compile();  // to comparisons of attributes with values
  Fault Bind(const KeySchema& keys, KeyCondition* out) const;

 private:
  std::shared_ptr<const Condition::Node> root_;
  std::vector<KeyPart> parts_;
};

// ProjectionExpression.
struct ProjectionPaths {
  std::vector<Path> paths;  // without overlaps; empty: everything
  Item Of(const Item& item) const;
  uint64_t Steps() const;                         // the most steps of Of, without examining the copied values
  std::vector<std::string> EnteredNames() const;  // names that a path enters
};
Fault ParseProjection(std::string_view text, Placeholders* placeholders, ProjectionPaths* out);

// UpdateExpression.
class Update {
 public:
  struct Plan;
  Update();  // changes nothing
  explicit Update(std::shared_ptr<const Plan> plan);
  bool empty() const { return !plan_; }
  // It sets and adds nothing, so it never creates an item.
  bool RemovesOnly() const;
  // Evaluates all right sides on the item as it was. On a fault *item is unchanged.
  Fault Apply(Item* item) const;
  // The parts of `item` that the update names, for UPDATED_OLD and UPDATED_NEW.
  Item Touched(const Item& item) const;
  std::vector<std::string> TopNames() const;      // the changed attributes
  std::vector<std::string> EnteredNames() const;  // names that a path enters, on either side

 private:
  std::shared_ptr<const Plan> plan_;
};
Fault ParseUpdate(std::string_view text, Placeholders* placeholders, Update* out);

}  // namespace parley::storage
