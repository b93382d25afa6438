// The declarations in the program.
#include <cstdio>
#include <cstdlib>

#include "storage/declarations/checks.h"
#include "storage/declarations/documents.h"
#include "storage/declarations/load.h"

namespace parley::storage {
namespace {

// Only a bug gets here, because tests load the same documents.
[[noreturn]] void Abort(const std::vector<std::string>& faults) {
  for (const std::string& fault : faults)
    std::fprintf(stderr, "parley: storage/declarations/%s\n", fault.c_str());
  std::abort();
}

std::vector<SystemDef> LoadAll() {
  std::vector<SystemDef> systems;
  for (const TableDocument& document : TableDocuments()) {
    const std::vector<std::string> faults = LoadSystem(document.file, document.text, &systems.emplace_back());
    if (!faults.empty()) Abort(faults);
  }
  Faults faults;
  CheckNames(systems, "*.json", &faults);
  if (!faults.all().empty()) Abort(faults.all());
  return systems;
}

std::vector<TableDefPtr> AllTables() {
  std::vector<TableDefPtr> tables;
  for (const SystemDef& system : SeedSystems()) {
    tables.insert(tables.end(), system.tables.begin(), system.tables.end());
  }
  return tables;
}

}  // namespace

const std::vector<SystemDef>& SeedSystems() {
  static const std::vector<SystemDef> systems = LoadAll();
  return systems;
}

const std::vector<TableDefPtr>& SeedTables() {
  static const std::vector<TableDefPtr> tables = AllTables();
  return tables;
}

}  // namespace parley::storage
