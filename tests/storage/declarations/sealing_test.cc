// Secrets in rows are sealed.
#include "storage/declarations/sealing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/crypto.h"
#include "storage/items/item_codec.h"
#include "tests/storage/declarations/shown.h"
#include "tests/storage/memory_sealer.h"

namespace parley::storage {
namespace {

const Sealer kSealer = SealerInMemory("k");
const Sealer kOtherKey = SealerInMemory("o");
const protocol::TenantId kTenant{"acme"};
const Item kChannel = {{"pk", "output-channels/w/c"},
                       {"sk", "channel"},
                       {"name", "Ops"},
                       {"config", Item{{"token", "hunter2"}, {"port", Number::Of(25)}}}};

const TableDef& Channels() {
  return SeedTable("output_channel");
}
Item Sealed(Item item, const Sealer& key = kSealer) {
  SealSecrets(Channels(), kTenant, key, &item);
  return item;
}

TEST(Sealing, leaves_nothing_of_a_secret_in_the_row) {
  const Item sealed = Sealed(kChannel);
  EXPECT_EQ(Shown(*sealed.Find("config")), "<B>");
  EXPECT_EQ(EncodeItem(sealed).find("hunter2"), std::string::npos);
  EXPECT_EQ(Shown(*sealed.Find("name")), "\"Ops\"");
}

TEST(Sealing, opens_to_the_value_that_was_sealed) {
  Item item = Sealed(kChannel);
  EXPECT_TRUE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  EXPECT_EQ(item, kChannel);
}

TEST(Sealing, seals_a_sealed_value_only_once) {
  Item item = Sealed(Sealed(kChannel));
  EXPECT_EQ(item, Sealed(kChannel));
  EXPECT_TRUE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  EXPECT_EQ(item, kChannel);
}

// Otherwise a caller who may write a B could pass it off as sealed, and it would never open again.
TEST(Sealing, seals_a_value_that_only_looks_sealed) {
  Item forged = Sealed(kChannel);
  forged.Find("config")->As<Binary>()->bytes.back() ^= 1;
  Item item = Sealed(forged);
  EXPECT_NE(item, forged);
  EXPECT_TRUE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  EXPECT_EQ(item, forged);
}

TEST(Sealing, does_not_open_with_another_key_or_when_damaged) {
  Item item = Sealed(kChannel);
  EXPECT_FALSE(OpenSecrets(Channels(), kTenant, kOtherKey, &item));
  EXPECT_EQ(item, Sealed(kChannel)) << "left as it is";
  std::string& bytes = item.Find("config")->As<Binary>()->bytes;
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_FALSE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  bytes.resize(10);
  EXPECT_FALSE(OpenSecrets(Channels(), kTenant, kSealer, &item));
}

TEST(Sealing, does_not_open_in_another_table) {
  Item item = Sealed(kChannel);
  EXPECT_FALSE(OpenSecrets(SeedTable("email-connection"), kTenant, kSealer, &item));
}

TEST(Sealing, does_not_open_for_another_tenant_item_or_attribute) {
  Item item = Sealed(kChannel);
  EXPECT_FALSE(OpenSecrets(Channels(), protocol::TenantId{"other"}, kSealer, &item));
  item.Set("sk", "another");
  EXPECT_FALSE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  item = Sealed(kChannel);
  item.Set("pk", "output-channels/w/d");
  EXPECT_FALSE(OpenSecrets(Channels(), kTenant, kSealer, &item));
}

// A row as it was written when the store's own secret sealed it.
TEST(Sealing, opens_values_sealed_by_an_earlier_version_and_seals_them_again) {
  const std::string secret(32, 's');
  std::string plain("output_channel\0config\0", 22);
  AppendValue(*kChannel.Find("config"), &plain);
  Item item = kChannel;
  item.Set("config", Binary{std::string("\xff"
                                        "sealed\x01") +
                            protocol::SealBytes(protocol::HmacSha256(secret, "secret attributes"), plain)});
  const Item old = item;
  EXPECT_FALSE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  const Sealer both({SealingKey::FromBytes(std::string(32, 'n'))}, secret);
  ASSERT_TRUE(OpenSecrets(Channels(), kTenant, both, &item));
  EXPECT_EQ(item, kChannel);
  std::vector<std::optional<SealingKeyId>> seals;
  const auto note = [&](const std::optional<SealingKeyId>& seal) { seals.push_back(seal); };
  ForEachSeal(Channels(), old, note);
  ForEachSeal(Channels(), Sealed(item, both), note);
  ForEachSeal(Channels(), item, note);
  EXPECT_THAT(seals, testing::ElementsAre(SealingKeyId::OfStore(), both.newest(), std::nullopt));
}

TEST(Sealing, leaves_values_open_that_were_written_open) {
  Item item = kChannel;
  EXPECT_TRUE(OpenSecrets(Channels(), kTenant, kSealer, &item));
  EXPECT_EQ(item, kChannel);
}

TEST(Sealing, strips_secrets_from_lists) {
  Item item = Sealed(kChannel);
  StripSecrets(Channels(), &item);
  EXPECT_EQ(Shown(item), "name=\"Ops\" pk=\"output-channels/w/c\" sk=\"channel\"");
}

}  // namespace
}  // namespace parley::storage
