// The WebSocket protocol as an AsyncAPI 3 document, generated from the structs that encode and decode it
// (features/ops.h, protocol/items.h), so that the documentation cannot drift from the code. `parleyd
// --asyncapi` prints it, and the build writes it to build/release/docs/asyncapi.json.
#pragma once

#include <string>
#include <vector>

#include "protocol/base/doc_page.h"

namespace parley::protocol {
class NamedSchemas;
}

namespace parley::gateway {

std::string AsyncApiDocument();  // JSON, indented

// Returns the reference to the schema of an error, which HTTP answers, too.
std::string ErrorSchema(protocol::NamedSchemas* named);

// The pages of docs/protocol/ that list every op with args and reply, the fields of items, errors and close
// codes. `parleyd --docs` writes them.
std::vector<protocol::DocPage> ProtocolPages();

}  // namespace parley::gateway
