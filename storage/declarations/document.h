// Generates docs/tables.md from "## The tables" on: every declaration as Markdown.
#pragma once

#include <string>
#include <vector>

#include "storage/declarations/table_def.h"

namespace parley::storage {

std::string TablesText(const std::vector<SystemDef>& systems);
std::string TablesManual();  // for the declarations in the program

}  // namespace parley::storage
