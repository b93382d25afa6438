// The WebSocket protocol as an AsyncAPI 3 document, generated from the structs that encode and decode it
// (ops.h, items.h), so that the documentation cannot drift from the code. `parleyd --asyncapi` prints it as
// docs/asyncapi.json, and a test compares the two.
#pragma once

#include <string>

namespace parley::protocol {

std::string AsyncApiDocument();  // JSON, indented

// What an error is, as JSON Schema; for HTTP, too.
std::string ErrorJsonSchema();

// Tables for docs/protocol.md, in Markdown: ops with args and replies, items with their fields, errors, close
// codes.
std::string ProtocolTables();

}  // namespace parley::protocol
