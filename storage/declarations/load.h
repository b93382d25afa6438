// Declarations of tables from JSON. Their form, by example: events.json. To add a table, add it to a file or
// a file beside these; no C++ knows of it.
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

// Everything that is wrong with it, each with its place; nothing: *out is what the text declares.
std::vector<std::string> LoadSystem(std::string_view file, std::string_view text, SystemDef* out);

// Those within the program, read when they are first asked for: ask when it starts, since a fault in them
// aborts it. Thread-safe.
const std::vector<SystemDef>& SeedSystems();
const std::vector<TableDefPtr>& SeedTables();  // of all systems

}  // namespace parley::storage
