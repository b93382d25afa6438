// Loads declarations of tables from JSON; events.json is an example. To add a table, add it to a file or
// add a file beside these; no C++ has to change.
//
// A system: {"system", "about", "notes"?, "common"? (attributes of every kind of item), "patterns"?,
// "tables"} A table:  {"name", "about", "notes"?, "owner": tenant|peripheral|services|view, "keys": {"hash",
// "range"?},
//            "indexes"?, "ttl"?, "version"?, "stamps"?: {"created"?, "updated"?}, "streamImages"?, "items",
//            "unique"?, "patterns"?}
// A key:    {"name", "type": S|N|B}
// An index: {"number", "name", "kind": global|local, "hash", "range"?, "projection": ALL|KEYS_ONLY,
// "include"?} An item:  {"kind", "hash", "range"?, "parts"?, "about"?, "attributes", "derived"?}; hash and
// range are
//            templates (template.h)
// An attribute: {"name", "type", "required"?, "requiredWhen"?: {"attribute", "is": […]}, "default"?, "enum"?,
//            "min"?, "max"?, "format"?: time|date|email|url|uuid, "secret"?, "immutable"?, "lowerCase"?,
//            "bytesMax"?, "about"?}; numbers with a fraction as text
// A derived attribute: {"name", "pattern", "when"?: {"attribute", "is": […]}, "unless"?: [attributes]}
// A unique rule: {"number", "attributes", "global"?}
// A pattern: {"id", "what", "how"}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/declarations/table_def.h"

namespace parley::storage {

// Returns all faults, each with its place; if empty, *out is the declared system.
std::vector<std::string> LoadSystem(std::string_view file, std::string_view text, SystemDef* out);

// The systems in the program, loaded on the first call. Call it at start, because a fault in them aborts the
// process. Thread-safe.
const std::vector<SystemDef>& SeedSystems();
const std::vector<TableDefPtr>& SeedTables();  // across all systems

}  // namespace parley::storage
