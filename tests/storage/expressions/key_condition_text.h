// Parses a KeyConditionExpression in one call.
#pragma once

#include <string_view>

#include "storage/expressions/expressions.h"

namespace parley::storage {

inline Fault ParseKeyCondition(std::string_view text, const KeySchema& keys, Placeholders* placeholders,
                               KeyCondition* out) {
  KeyExpression expression;
  if (Fault fault = expression.Parse(text, placeholders); !fault.empty()) return fault;
  if (Fault fault = expression.Compile(); !fault.empty()) return fault;
  return expression.Bind(keys, out);
}

}  // namespace parley::storage
