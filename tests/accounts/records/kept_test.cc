// accounts/KEPT.md lists the retention of every kind of item that the services store, and the code that
// removes it.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

#include "storage/declarations/load.h"
#include "tests/repository.h"

namespace parley::accounts {
namespace {

// Maps "tenants user" to the code that removes it.
std::map<std::string, std::string> Said() {
  std::map<std::string, std::string> out;
  std::istringstream lines(tests::RepositoryText("accounts/KEPT.md"));
  for (std::string line; std::getline(lines, line);) {
    const size_t name_end = line.find('`', 3), kind_end = line.find(" |", name_end);
    const size_t kept_end = line.find(" | ", kind_end + 2);
    const bool names_a_kind = line.starts_with("| `") && kept_end != std::string::npos &&
                              line.substr(name_end, 2) == "` " && kind_end > name_end + 1;
    if (!names_a_kind) continue;
    const std::string kind = line.substr(name_end + 2, kind_end - name_end - 2);
    out[line.substr(3, name_end - 3) + " " + kind] = line.substr(kept_end + 3);
  }
  return out;
}

TEST(Kept, every_kind_of_item_names_the_code_that_removes_it) {
  const std::set<std::string> ours = {"tenants",
                                      "TenantApiKeys",
                                      "Events",
                                      "permission",
                                      "user-api-key",
                                      "workspace-invite",
                                      "user-refresh-token",
                                      "llm-request-buckets",
                                      "moderation-cases"};
  std::set<std::string> declared, said;
  for (const auto& [name, by] : Said()) {
    said.insert(name);
    EXPECT_GT(by.size(), 3u) << name;
  }
  for (const storage::TableDefPtr& def : storage::SeedTables()) {
    if (!ours.contains(def->name)) continue;
    for (const storage::ItemKind& kind : def->kinds) declared.insert(def->name + " " + kind.name);
  }
  EXPECT_EQ(declared, said);
}

// Items of kinds that are listed as expiring must have the attribute with the time.
TEST(Kept, items_listed_as_expiring_have_an_expiry) {
  for (const auto& [name, by] : Said()) {
    if (!by.starts_with("its expiry")) continue;
    const std::string table = name.substr(0, name.find(' '));
    for (const storage::TableDefPtr& def : storage::SeedTables()) {
      if (def->name == table) {
        EXPECT_FALSE(def->ttl_attribute.empty()) << name;
      }
    }
  }
}

}  // namespace
}  // namespace parley::accounts
