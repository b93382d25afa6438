// The WebSocket protocol as an AsyncAPI 3 document, generated from the structs that encode and decode it
// (ops.h, items.h), so that the documentation cannot drift from the code. `parleyd --asyncapi` prints it as
// docs/asyncapi.json, and a test compares the two.
#pragma once

#include <string>
#include <vector>

#include "protocol/base/doc_page.h"

namespace parley::protocol {

std::string AsyncApiDocument();  // JSON, indented

// The JSON Schema of an error, also for HTTP.
std::string ErrorJsonSchema();

// The pages of docs/protocol/ that list every op with args and reply, the fields of items, errors and close
// codes. `parleyd --docs` writes them.
std::vector<DocPage> ProtocolPages();

}  // namespace parley::protocol
