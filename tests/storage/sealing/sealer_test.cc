// The newest key seals, and any key opens. The bytes are on disk, so they have a vector, which other code
// computed from the format.
#include "storage/sealing/sealer.h"

#include <gtest/gtest.h>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"

namespace parley::storage {
namespace {

constexpr auto kHere = SealPurpose::kAttributes;
const SealingKey kOld = SealingKey::FromBytes(std::string(32, 'o'));
const SealingKey kNew = SealingKey::FromBytes(std::string(32, 'n'));

TEST(Sealer, seals_with_the_newest_key_and_opens_with_any) {
  const Sealer before({kOld}), both({kNew, kOld}), after({kNew});
  const std::string old = before.Seal(kHere, "place", "secret");
  EXPECT_EQ(SealedWith(old), kOld.id);
  EXPECT_EQ(both.Open(kHere, "place", old), "secret");
  EXPECT_EQ(after.Open(kHere, "place", old), std::nullopt);
  const std::string now = both.Seal(kHere, "place", "secret");
  EXPECT_EQ(SealedWith(now), kNew.id);
  EXPECT_EQ(after.Open(kHere, "place", now), "secret");
  EXPECT_EQ(now.find("secret"), std::string::npos);
  EXPECT_EQ(both.newest(), kNew.id);
}

TEST(Sealer, a_sealed_value_opens_only_unchanged_for_its_purpose_and_place) {
  const Sealer sealer({kNew});
  const std::string sealed = sealer.Seal(kHere, "place", "secret");
  EXPECT_EQ(sealer.Open(SealPurpose::kTableKeys, "place", sealed), std::nullopt);
  EXPECT_EQ(sealer.Open(kHere, "place ", sealed), std::nullopt);
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(sealer.Open(kHere, "place", changed), std::nullopt) << i;
    EXPECT_EQ(sealer.Open(kHere, "place", sealed.substr(0, i)), std::nullopt) << i;
  }
}

TEST(Sealer, derives_the_stores_key_only_if_given_the_stores_secret) {
  EXPECT_TRUE(Sealer({kNew}).StoreKey(kHere).empty());
  const Sealer sealer({kNew}, "the store's");
  EXPECT_EQ(sealer.StoreKey(kHere), protocol::HmacSha256("the store's", "secret attributes"));
  EXPECT_EQ(sealer.StoreKey(SealPurpose::kTableKeys),
            protocol::HmacSha256("the store's", "table key secrets"));
  EXPECT_FALSE(Sealer({}, "the store's").has_keys());
  EXPECT_EQ(Sealer().Open(kHere, "place", sealer.Seal(kHere, "place", "x")), std::nullopt);
}

TEST(Sealer, writes_these_bytes) {
  EXPECT_EQ(kNew.id.ToText(), "0b135db1aa4ca522");
  EXPECT_EQ(
      protocol::Hex(Sealer({kNew}).Seal(kHere, "place", "secret")),
      "ff7365616c6564020b135db1aa4ca52291f7f6f3a649c979fd43cee102414de766a14bf5797ffb4154a72f7738c39fd1b2ac");
}

}  // namespace
}  // namespace parley::storage
