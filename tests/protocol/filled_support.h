// A reader of the compact form: fills in the omitted fields of a frame. It uses only the documented rules,
// and none of the code that omits fields.
#pragma once

#include <string>
#include <string_view>

#include "protocol/value.h"

namespace parley::tests {

// The documented rules. Each test program has its own: of the core's ops, or of all ops from the AsyncAPI
// document.
std::string CompactRulesText();

// Returns the full frame as MessagePack; its members have another order than the server's. `op` is that of
// the answered request, or empty for an event.
std::string Filled(const protocol::Value& frame, std::string_view op);
// The same for an item alone; `name` is its name in the rules, like "Message".
std::string FilledItem(const protocol::Value& item, std::string_view name);

// Returns JSON with names in order, so that equal maps are equal texts.
std::string Sorted(const protocol::Value& value);

}  // namespace parley::tests
