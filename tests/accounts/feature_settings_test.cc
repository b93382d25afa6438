#include "accounts/tenants/feature_settings.h"

#include <gtest/gtest.h>

namespace parley::accounts {
namespace {

struct FeatureMember {
  std::optional<int64_t> size;
  static constexpr void Fields(auto& field) { field("size", &FeatureMember::size, ""); }
};

TEST(FeatureSettings, that_were_set_are_found) {
  const FeatureSettings settings(R"({"size":5,"other":true})");
  EXPECT_EQ(settings.Of<FeatureMember>().size, 5);
  EXPECT_EQ(&settings.Of<FeatureMember>(), &settings.Of<FeatureMember>());
}

TEST(FeatureSettings, of_a_tenant_that_has_set_none_are_empty) {
  EXPECT_FALSE(FeatureSettings().Of<FeatureMember>().size);
  EXPECT_FALSE(FeatureSettings("").Of<FeatureMember>().size);
  EXPECT_EQ(&FeatureSettings().Of<FeatureMember>(), &FeatureSettings().Of<FeatureMember>());
}

}  // namespace
}  // namespace parley::accounts
