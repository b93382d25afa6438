// The pages of docs/tables/: every declaration as Markdown.
#pragma once

#include <string>
#include <vector>

#include "protocol/base/doc_page.h"
#include "storage/declarations/table_def.h"

namespace parley::storage {

// One page for each system, several for one with very many tables. `parleyd --docs` writes them.
std::vector<protocol::DocPage> TablePages(const std::vector<SystemDef>& systems);
std::vector<protocol::DocPage> TablePages();  // for the declarations in the program

}  // namespace parley::storage
