// Items as short text: `a: 1, b: "x", l: [1, {c: true}], set: ss("x", "y"), bin: b"01", none: null`. Sets are
// ss(…), ns(…) and bs(…).
#pragma once

#include <string>
#include <string_view>

#include "storage/expressions/expressions.h"

namespace parley::storage {

AttributeValue ValueFrom(std::string_view text);
Item ItemFrom(std::string_view text);
std::string TextOfItem(const Item& item);  // as ItemFrom reads it

// Names as `#n: "name", #m: "other"`, values as `:v: 1, :w: "x"`; either may be empty.
Placeholders Given(std::string_view names, std::string_view values);

// Return the fault for which the expression is rejected (unused placeholders count), or "".
std::string ConditionFault(std::string_view text, std::string_view values = "", std::string_view names = "");
std::string UpdateFault(std::string_view text, std::string_view values = "", std::string_view names = "");
std::string ProjectionFault(std::string_view text, std::string_view names = "");

}  // namespace parley::storage
