// The bytes of a value and of META, against storage/FORMAT.md.
#include "storage/row_format.h"

#include <gtest/gtest.h>

#include "storage/key.h"
#include "storage/rocksdb_table.h"
#include "storage/store_meta.h"

namespace parley::storage {
namespace {

TEST(RowFormat, a_value_is_format_version_and_payload) {
  const std::string value = EncodeRowHead(300) + "hi";
  EXPECT_EQ(value, "\x01\xac\x02hi");
  RowView row;
  ASSERT_TRUE(DecodeRow(value, &row).ok());
  EXPECT_EQ(row.version, 300u);
  EXPECT_EQ(row.payload, "hi");
}

TEST(RowFormat, every_version_reads_back) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t version : {(uint64_t{1} << bit) - 1, uint64_t{1} << bit, ~uint64_t{0} >> bit}) {
      RowView row;
      ASSERT_TRUE(DecodeRow(EncodeRowHead(version), &row).ok());
      EXPECT_EQ(row.version, version);
      EXPECT_EQ(row.payload, "");
    }
  }
}

TEST(RowFormat, a_value_cut_within_its_head_is_corrupt) {
  const std::string head = EncodeRowHead(~uint64_t{0});
  RowView row;
  for (size_t size = 0; size < head.size(); ++size) {
    EXPECT_EQ(DecodeRow(head.substr(0, size), &row).code, StatusCode::kCorrupt) << size;
  }
}

TEST(RowFormat, an_unknown_format_is_corrupt_and_named) {
  RowView row;
  const Status status = DecodeRow("\x07\x01payload", &row);
  EXPECT_EQ(status.code, StatusCode::kCorrupt);
  EXPECT_NE(status.detail.find("format 7"), std::string::npos) << status.detail;
}

TEST(RowFormat, a_version_longer_than_needed_or_than_64_bits_is_corrupt) {
  RowView row;
  EXPECT_EQ(DecodeRow(std::string("\x01\x80\x00", 3), &row).code, StatusCode::kCorrupt);
  EXPECT_EQ(DecodeRow("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", &row).code, StatusCode::kCorrupt);
  EXPECT_EQ(DecodeRow("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", &row).code, StatusCode::kCorrupt);
}

TEST(StoreMeta, reads_back_and_no_truncation_does) {
  const StoreMeta meta = NewStoreMeta();
  EXPECT_EQ(meta.format, kStoreFormat);
  EXPECT_TRUE(meta.written_by.starts_with("Parley "));
  EXPECT_EQ(meta.identity.epoch.size(), 3u + 26u);
  const std::string bytes = EncodeMeta(meta);
  const auto back = DecodeMeta(bytes);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->identity.epoch, meta.identity.epoch);
  EXPECT_EQ(back->identity.secret, meta.identity.secret);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeMeta(bytes.substr(0, size)).has_value()) << size;
  EXPECT_FALSE(DecodeMeta(bytes + "x").has_value());
}

TEST(StoreMeta, of_another_format_names_its_writer_whatever_follows) {
  const auto meta =
      DecodeMeta(KeyWriter().Number(kStoreFormat + 1).Text("Parley 9.9").Bytes() + "\xff anything");
  ASSERT_TRUE(meta.has_value());
  EXPECT_EQ(meta->format, kStoreFormat + 1);
  EXPECT_EQ(meta->written_by, "Parley 9.9");
}

TEST(StoreMeta, two_stores_are_never_the_same) {
  EXPECT_NE(NewStoreMeta().identity.epoch, NewStoreMeta().identity.epoch);
  EXPECT_NE(NewStoreMeta().identity.secret, NewStoreMeta().identity.secret);
}

}  // namespace
}  // namespace parley::storage
