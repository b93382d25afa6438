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

// `part` belongs to `key`, or is nullptr.
Fault PartFault(const KeyPart* part, const KeyAttribute& key, bool required) {
  if (part == nullptr) return required ? "Query condition missed key schema element: " + key.name : "";
  if (part->op == Op::kNone) return "Attempted conditional constraint is not an indexable operation";
  const bool has_types =
      part->low.type() == key.type && (part->op != Op::kBetween || part->high.type() == key.type);
  if (has_types) return {};
  return "One or more parameter values were invalid: Condition parameter type does not match schema type";
}

const char kNotSupported[] = "Query key condition not supported";

// Binds comparisons to the attributes of a key, in the key's order.
class Binder {
 public:
  Binder(const std::vector<KeyPart>& parts, KeyCondition* out) : parts_(parts), out_(out) {}

  // Every attribute of the partition key is compared with one value.
  Fault BindHash(const KeyAttribute& key) {
    const KeyPart* part = PartOf(parts_, key.name);
    if (Fault fault = PartFault(part, key, true); !fault.empty()) return fault;
    if (part->op != Op::kEqual) return kNotSupported;
    (bound_ == 0 ? out_->hash : out_->more_hash.emplace_back()) = part->low;
    ++bound_;
    return {};
  }

  // The sort key's attributes from the first on without a gap; all but the last are compared with one value.
  Fault BindRange(const KeyAttribute& key) {
    const KeyPart* part = PartOf(parts_, key.name);
    if (Fault fault = PartFault(part, key, bound_ < parts_.size()); !fault.empty()) return fault;
    if (part == nullptr) return {};
    if (out_->op != Op::kNone) {
      if (out_->op != Op::kEqual) return kNotSupported;
      out_->equal.push_back(std::move(out_->low));
    }
    out_->op = part->op;
    out_->low = part->low;
    out_->high = part->high;
    ++bound_;
    return {};
  }

 private:
  const std::vector<KeyPart>& parts_;
  KeyCondition* const out_;
  size_t bound_ = 0;
};

}  // namespace

Fault BindKeyParts(const std::vector<KeyPart>& parts, const KeySchema& keys, KeyCondition* out) {
  if (keys.size() <= 2 && parts.size() > 2) return kOneOrTwoParts;
  if (parts.size() > keys.size()) return kNotSupported;
  KeyCondition condition;
  Binder binder(parts, &condition);
  Fault fault;
  keys.Each([&](const KeyAttribute& key, bool is_hash) {
    fault = is_hash ? binder.BindHash(key) : binder.BindRange(key);
    return fault.empty();
  });
  if (fault.empty()) *out = std::move(condition);
  return fault;
}

}  // namespace parley::storage
