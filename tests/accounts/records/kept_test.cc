// accounts/KEPT.md says of every kind of item that the services keep how long it stays, and who removes it.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

#include "storage/declarations/load.h"
#include "tests/repository.h"

namespace parley::accounts {
namespace {

// "tenants user" -> who removes it.
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

TEST(Kept, every_kind_of_the_services_says_who_removes_it) {
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

// What is said to expire has an attribute that says when, which each item must have.
TEST(Kept, what_is_said_to_expire_does) {
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
