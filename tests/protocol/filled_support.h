// A reader of the compact form: fills in what was left out of a frame. It knows the documented rules alone
// (x-compact of the AsyncAPI document) and none of the code that leaves things out.
#pragma once

#include <string>
#include <string_view>

#include "protocol/value.h"

namespace parley::tests {

// The frame in full, as MessagePack. Its members come in another order than the server's. `op`: of the
// request that it answers; empty: it is an event.
std::string Filled(const protocol::Value& frame, std::string_view op);
// The same for an item alone, by its name in the rules: "Message".
std::string FilledItem(const protocol::Value& item, std::string_view name);

// As JSON with its names in order, so that equal maps are equal texts.
std::string Sorted(const protocol::Value& value);

}  // namespace parley::tests
