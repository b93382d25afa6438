// The WebSocket protocol as an AsyncAPI 3 document, generated from the structs that encode and decode it
// (ops.h, items.h), so that the documentation cannot drift from the code. `parleyd --asyncapi` prints it as
// docs/asyncapi.json, and a test compares the two.
#pragma once

#include <string>

namespace parley::protocol {

std::string AsyncApiDocument();  // JSON, indented

// The JSON Schema of an error, also for HTTP.
std::string ErrorJsonSchema();

// Markdown tables for docs/protocol.md: ops with args and replies, items with their fields, errors, close
// codes.
std::string ProtocolTables();

}  // namespace parley::protocol
