// The tenant settings `files{}`: defaults, bounds, and changes.
#include "features/files/settings.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "accounts/tenants/settings.h"

namespace parley::features {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

// Returns "ok", or the invalid field.
std::string FileFaultIn(const std::string& files) {
  const auto parsed = accounts::ParseSettingsAs<FileMember>("{\"files\":" + files + "}");
  return parsed.ok() ? "ok" : parsed.error().fields.empty() ? "?" : parsed.error().fields.front().first;
}
FileRules RulesBy(const std::string& files) {
  const auto parsed = accounts::ParseSettingsAs<FileMember>("{\"files\":" + files + "}");
  EXPECT_TRUE(parsed.ok()) << files;
  return FilesBy(parsed->files.value.value_or(FileSettings()));
}

TEST(FileSettings, the_defaults_match_the_contract) {
  const FileRules rules = RulesBy("{}");
  EXPECT_TRUE(rules.enabled);
  EXPECT_EQ(rules.max_bytes, 26'214'400);
  EXPECT_EQ(rules.per_thread_bytes, 10 * kGiB);
  EXPECT_EQ(rules.per_user_per_day_bytes, kGiB);
  EXPECT_EQ(rules.per_user_per_day_count, 200);
  EXPECT_FALSE(rules.tenant_bytes);
  EXPECT_EQ(rules.concurrent_per_user, 10);
  EXPECT_THAT(rules.types, testing::IsSupersetOf({"image/jpeg", "image/avif", "video/quicktime",
                                                  "application/pdf", "text/plain", "application/zip"}));
}

TEST(FileSettings, each_number_has_bounds) {
  const std::pair<const char*, int64_t> numbers[] = {
      {"maxBytes", 16 * kGiB},           {"perThreadBytes", kFilesBytesMax},
      {"tenantBytes", kFilesBytesMax},   {"perUserPerDayBytes", kFilesBytesMax},
      {"perUserPerDayCount", 1'000'000}, {"concurrentPerUser", 10'000}};
  for (const auto& [name, most] : numbers) {
    const auto with = [name = std::string(name)](int64_t value) {
      return "{\"" + name + "\":" + std::to_string(value) + "}";
    };
    const std::string field = "settings.files." + std::string(name);
    EXPECT_EQ(FileFaultIn(with(0)), field);
    EXPECT_EQ(FileFaultIn(with(1)), "ok") << field;
    EXPECT_EQ(FileFaultIn(with(most)), "ok") << field;
    EXPECT_EQ(FileFaultIn(with(most + 1)), field);
  }
}

TEST(FileSettings, unknown_members_and_other_types_are_refused) {
  EXPECT_EQ(FileFaultIn(R"({"enabled":1})"), "settings.files.enabled");
  EXPECT_EQ(FileFaultIn(R"({"maxByte":1})"), "settings.files.maxByte");
  EXPECT_EQ(FileFaultIn(R"({"tenantBytes":"all"})"), "settings.files.tenantBytes");
  EXPECT_EQ(FileFaultIn(R"({"types":"image/png"})"), "settings.files.types");
}

TEST(FileSettings, each_member_sets_only_its_own_rule) {
  size_t members = 0;
  auto check = [&](std::string_view name, auto, std::string_view) {
    if (name == "enabled" || name == "types") return;
    const FileRules rules = RulesBy("{\"" + std::string(name) + "\":777}");
    const std::array all = {rules.max_bytes,
                            rules.per_thread_bytes,
                            rules.per_user_per_day_bytes,
                            rules.per_user_per_day_count,
                            rules.tenant_bytes.value_or(0),
                            rules.concurrent_per_user};
    EXPECT_EQ(std::count(all.begin(), all.end(), 777), 1) << name;
    EXPECT_EQ(all[members++], 777) << name;
  };
  FileSettings::Fields(check);
  EXPECT_EQ(members, 6u);
}

TEST(FileSettings, types_replace_the_defaults_and_their_case_does_not_matter) {
  EXPECT_THAT(RulesBy(R"({"types":["image/PNG"]})").types, testing::ElementsAre("image/png"));
  EXPECT_THAT(RulesBy(R"({"types":[]})").types, testing::IsEmpty());
}

TEST(FileSettings, a_patch_changes_one_member_and_null_restores_its_default) {
  const auto set = accounts::MergeSettings("{}", R"({"files":{"maxBytes":5,"tenantBytes":6}})");
  ASSERT_TRUE(set.ok());
  const auto removed = accounts::MergeSettings(*set, R"({"files":{"tenantBytes":null}})");
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(*removed, R"({"files":{"maxBytes":5}})");
  EXPECT_EQ(accounts::MergeSettings(*removed, R"({"files":null})").value(), "{}");
}

}  // namespace
}  // namespace parley::features
