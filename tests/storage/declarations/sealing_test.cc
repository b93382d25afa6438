// ENG-22: secrets in rows.
#include "storage/declarations/sealing.h"

#include <gtest/gtest.h>

#include "storage/items/item_codec.h"
#include "tests/storage/declarations/shown.h"

namespace parley::storage {
namespace {

const std::string kKey(32, 'k');
const std::string kOtherKey(32, 'o');
const Item kChannel = {{"pk", "output-channels/w/c"},
                       {"sk", "channel"},
                       {"name", "Ops"},
                       {"config", Item{{"token", "hunter2"}, {"port", Number::Of(25)}}}};

const TableDef& Channels() {
  return SeedTable("output_channel");
}
Item Sealed(Item item, const std::string& key = kKey) {
  SealSecrets(Channels(), key, &item);
  return item;
}

TEST(Sealing, ENG_22_leaves_nothing_of_a_secret_in_the_row) {
  const Item sealed = Sealed(kChannel);
  EXPECT_EQ(Shown(*sealed.Find("config")), "<B>");
  EXPECT_EQ(EncodeItem(sealed).find("hunter2"), std::string::npos);
  EXPECT_EQ(Shown(*sealed.Find("name")), "\"Ops\"");
}

TEST(Sealing, ENG_22_opens_to_what_was_sealed) {
  Item item = Sealed(kChannel);
  EXPECT_TRUE(OpenSecrets(Channels(), kKey, &item));
  EXPECT_EQ(item, kChannel);
}

TEST(Sealing, seals_what_is_sealed_only_once) {
  Item item = Sealed(Sealed(kChannel));
  EXPECT_EQ(item, Sealed(kChannel));
  EXPECT_TRUE(OpenSecrets(Channels(), kKey, &item));
  EXPECT_EQ(item, kChannel);
}

// Otherwise somebody who may write a B could pass it off as sealed, and it would never open again.
TEST(Sealing, seals_what_only_looks_sealed) {
  Item forged = Sealed(kChannel);
  forged.Find("config")->As<Binary>()->bytes.back() ^= 1;
  Item item = Sealed(forged);
  EXPECT_NE(item, forged);
  EXPECT_TRUE(OpenSecrets(Channels(), kKey, &item));
  EXPECT_EQ(item, forged);
}

TEST(Sealing, does_not_open_with_another_key_or_when_damaged) {
  Item item = Sealed(kChannel);
  EXPECT_FALSE(OpenSecrets(Channels(), kOtherKey, &item));
  EXPECT_EQ(item, Sealed(kChannel)) << "left as it is";
  std::string& bytes = item.Find("config")->As<Binary>()->bytes;
  bytes[bytes.size() / 2] ^= 1;
  EXPECT_FALSE(OpenSecrets(Channels(), kKey, &item));
  bytes.resize(10);
  EXPECT_FALSE(OpenSecrets(Channels(), kKey, &item));
}

TEST(Sealing, does_not_open_in_another_table) {
  Item item = Sealed(kChannel);
  EXPECT_FALSE(OpenSecrets(SeedTable("email-connection"), kKey, &item));
}

TEST(Sealing, leaves_open_what_was_written_open) {
  Item item = kChannel;
  EXPECT_TRUE(OpenSecrets(Channels(), kKey, &item));
  EXPECT_EQ(item, kChannel);
}

TEST(Sealing, ENG_22_strips_secrets_from_what_is_listed) {
  Item item = Sealed(kChannel);
  StripSecrets(Channels(), &item);
  EXPECT_EQ(Shown(item), "name=\"Ops\" pk=\"output-channels/w/c\" sk=\"channel\"");
}

}  // namespace
}  // namespace parley::storage
