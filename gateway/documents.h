// Makes the documents that are generated from the source, and writes them to a folder (`parleyd --docs`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/doc_page.h"

namespace parley::gateway {

// Returns them with their paths below docs/.
std::vector<protocol::DocPage> GeneratedDocuments();

// Returns the text of one of them; "" if there is no such document.
std::string GeneratedDocument(std::string_view path);

// Writes all of them below `folder`. Returns "" on success, else the error.
std::string WriteDocuments(const std::string& folder);

}  // namespace parley::gateway
