#include "features/files/links.h"

#include <gtest/gtest.h>

namespace parley::features {
namespace {

using protocol::AttachmentId;
using protocol::ThreadId;

const UploadLink kUploadLink{{"demo"},
                             *ThreadId::FromText("thrd_01h00000000000000000000001"),
                             *AttachmentId::FromText("att_01h00000000000000000000002"),
                             {"buyer"}};

FileLink LinkToFile() {
  FileLink link;
  link.tenant = {"demo"};
  link.thread = kUploadLink.thread;
  link.file = kUploadLink.file;
  link.variant = protocol::VariantName::kThumb;
  link.band_max = 2;
  link.by_case = true;
  link.expires_at = {1'700'000'000'000};
  return link;
}

TEST(FileLinks, open_with_everything_that_they_grant) {
  const LinkCodec codec(std::string(32, 's'));
  const auto upload = codec.OpenUpload(codec.Seal(kUploadLink));
  ASSERT_TRUE(upload);
  EXPECT_EQ(upload->tenant, kUploadLink.tenant);
  EXPECT_EQ(upload->thread, kUploadLink.thread);
  EXPECT_EQ(upload->file, kUploadLink.file);
  EXPECT_EQ(upload->by, kUploadLink.by);
  const auto file = codec.OpenFile(codec.Seal(LinkToFile()));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->file, kUploadLink.file);
  EXPECT_EQ(file->variant, protocol::VariantName::kThumb);
  EXPECT_EQ(file->band_max, 2);
  EXPECT_TRUE(file->by_case && !file->sees_all && !file->scans && !file->staff);
  EXPECT_EQ(file->expires_at.ms, 1'700'000'000'000);
}

TEST(FileLinks, of_one_kind_are_none_of_the_other) {
  const LinkCodec codec(std::string(32, 's'));
  EXPECT_FALSE(codec.OpenFile(codec.Seal(kUploadLink)));
  EXPECT_FALSE(codec.OpenUpload(codec.Seal(LinkToFile())));
}

TEST(FileLinks, of_another_store_do_not_open) {
  EXPECT_FALSE(LinkCodec(std::string(32, 't')).OpenUpload(LinkCodec(std::string(32, 's')).Seal(kUploadLink)));
}

TEST(FileLinks, that_were_changed_in_any_character_do_not_open) {
  const LinkCodec codec(std::string(32, 's'));
  const std::string token = codec.Seal(kUploadLink);
  for (size_t i = 0; i + 1 < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(codec.OpenUpload(changed)) << i;
    EXPECT_FALSE(codec.OpenUpload(token.substr(0, i))) << i;
  }
  EXPECT_FALSE(codec.OpenUpload(token + "A"));
  EXPECT_FALSE(codec.OpenUpload(std::string(100'000, 'A')));
}

TEST(FileLinks, need_no_escapes_in_a_url) {
  const std::string token = LinkCodec(std::string(32, 's')).Seal(kUploadLink);
  EXPECT_EQ(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
}

}  // namespace
}  // namespace parley::features
