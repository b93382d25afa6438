#include "storage/expressions/key_parts.h"

#include <algorithm>

namespace parley::storage {
namespace {

using Op = KeyCondition::Op;

const KeyPart* PartOf(const std::vector<KeyPart>& parts, std::string_view attribute) {
  const auto found = std::find_if(parts.begin(), parts.end(),
                                  [&](const KeyPart& part) { return part.attribute == attribute; });
  return found == parts.end() ? nullptr : &*found;
}

// `part` is of `key`, or nullptr.
Fault PartFault(const KeyPart* part, const KeyAttribute& key, bool required) {
  if (part == nullptr) return required ? "Query condition missed key schema element: " + key.name : "";
  if (part->op == Op::kNone) return "Attempted conditional constraint is not an indexable operation";
  const bool has_types =
      part->low.type() == key.type && (part->op != Op::kBetween || part->high.type() == key.type);
  if (has_types) return {};
  return "One or more parameter values were invalid: Condition parameter type does not match schema type";
}

}  // namespace

Fault BindKeyParts(const std::vector<KeyPart>& parts, const KeySchema& keys, KeyCondition* out) {
  if (!keys.range && parts.size() > 1) return "Query key condition not supported";
  const KeyPart* hash = PartOf(parts, keys.hash.name);
  if (Fault fault = PartFault(hash, keys.hash, true); !fault.empty()) return fault;
  if (hash->op != Op::kEqual) return "Query key condition not supported";
  KeyCondition condition{hash->low, Op::kNone, {}, {}};
  if (keys.range) {
    const KeyPart* range = PartOf(parts, keys.range->name);
    if (Fault fault = PartFault(range, *keys.range, parts.size() > 1); !fault.empty()) return fault;
    if (range != nullptr) condition = {hash->low, range->op, range->low, range->high};
  }
  *out = std::move(condition);
  return {};
}

}  // namespace parley::storage
