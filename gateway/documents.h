// All documents that are generated from the source, and writing them into a folder (`parleyd --docs`).
#pragma once

#include <string>
#include <vector>

#include "protocol/base/doc_page.h"

namespace parley::gateway {

// With their paths below docs/.
std::vector<protocol::DocPage> GeneratedDocuments();

// Writes all of them below `folder`. Empty on success, else what went wrong.
std::string WriteDocuments(const std::string& folder);

}  // namespace parley::gateway
