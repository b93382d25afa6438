// The WebSocket protocol as an AsyncAPI 3 document, made from the structs that encode and decode it (ops.h,
// items.h): what is documented is what is built. `parleyd --asyncapi` prints it; docs/asyncapi.json is that,
// and a test compares.
#pragma once

#include <string>

namespace parley::protocol {

std::string AsyncApiDocument();  // JSON, indented

// Tables for docs/protocol.md, in Markdown: ops with args and replies, items with their fields, errors, close
// codes.
std::string ProtocolTables();

}  // namespace parley::protocol
