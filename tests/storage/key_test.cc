// The key format, against storage/FORMAT.md: a vector per key, the order, and every possible truncation.
#include "storage/key.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "protocol/base/encoding.h"
#include "storage/store_rows.h"

namespace parley::storage {
namespace {

using protocol::TenantId;
using protocol::Ulid;

const TenantId kKeyTenant{"acme"};

using protocol::Hex;

// 0190a1b2c3d4 is the time, the rest replaces randomness.
Ulid ExampleUlid(uint8_t last) {
  Ulid id;
  constexpr uint8_t kBytes[] = {0x01, 0x90, 0xa1, 0xb2, 0xc3, 0xd4, 0x10, 0x11,
                                0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18};
  std::copy(std::begin(kBytes), std::end(kBytes), id.bytes.begin());
  id.bytes.back() = last;
  return id;
}

PartitionKey ExampleThread() {
  return PartitionKey::OfUlid(kKeyTenant, TableTag::kThreads, ExampleUlid(0xaa));
}

std::string ThreadRow(KeyWriter* sort) {
  return Hex(RowKeyBytes(ExampleThread(), sort->Sort()));
}

// Every row of a thread starts like this: "acme" 00 | 02 | the thread's ULID.
const std::string kThreadHex =
    "61636d650002"
    "0190a1b2c3d4101112131415161718aa";

TEST(KeyVectors, the_stores_own_rows) {
  EXPECT_EQ(Hex(MetaKey()), "000101");
  EXPECT_EQ(Hex(ChangeLogKey(0x0102)), "0001020000000000000102");
  EXPECT_EQ(Hex(CursorKey("inbox")), "000103696e626f7800");
  EXPECT_EQ(Hex(TrimmedKey()), "000104");
}

TEST(KeyVectors, rows_of_a_thread) {
  const Ulid message = ExampleUlid(0xbb);
  const std::string message_hex = "0190a1b2c3d4101112131415161718bb";
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kThread)), kThreadHex + "01");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kParticipant).Text("usr_ann")), kThreadHex +
                                                                                      "02"
                                                                                      "7573725f616e6e00");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kMessage).Id(message)), kThreadHex + "03" + message_hex);
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kCard).Id(message)), kThreadHex + "04" + message_hex);
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kTab).Text("brief")), kThreadHex +
                                                                            "05"
                                                                            "627269656600");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kLog).Number(258)), kThreadHex +
                                                                          "06"
                                                                          "0000000000000102");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kIdempotency).Text("usr_ann").Text("c-1")),
            kThreadHex +
                "07"
                "7573725f616e6e00"
                "632d3100");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kDeleted).Number(7)), kThreadHex +
                                                                            "08"
                                                                            "0000000000000007");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kHistory).Id(message).Number(9)),
            kThreadHex + "09" + message_hex + "0000000000000009");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kExternalEvent).Text("evt-1")), kThreadHex +
                                                                                      "0a"
                                                                                      "6576742d3100");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kEffect).Number(9)), kThreadHex + "0b0000000000000009");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kCardAudit).Number(9)), kThreadHex + "0c0000000000000009");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kAccess).Id(message)), kThreadHex + "0d" + message_hex);
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kDeletedBlock).Number(1)),
            kThreadHex + "0e0000000000000001");
  EXPECT_EQ(ThreadRow(&KeyWriter().Tag(ThreadTag::kAct).Id(message)), kThreadHex + "0f" + message_hex);
}

TEST(KeyVectors, reservations_of_a_user) {
  const PartitionKey user = PartitionKey::OfText(kKeyTenant, TableTag::kUsers, "usr_ann");
  const std::string user_hex =
      "61636d650003"
      "7573725f616e6e00";
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kCreate).Text("c-1").Sort())), user_hex +
                                                                                              "01"
                                                                                              "632d3100");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kInquiry).Text("usr_bob").Text("buyer").Sort())),
            user_hex +
                "02"
                "7573725f626f6200"
                "627579657200");
  const SortKey safety = KeyWriter().Tag(UserTag::kSafety).Text("usr_bob").Id(ExampleUlid(0xaa)).Sort();
  EXPECT_EQ(Hex(RowKeyBytes(user, safety)),
            user_hex + "04" + "7573725f626f6200" + "0190a1b2c3d4101112131415161718aa");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kBroadcast).Text("c-1").Sort())), user_hex +
                                                                                                 "03"
                                                                                                 "632d3100");
}

TEST(KeyVectors, the_direct_thread_of_two_users) {
  const PartitionKey user = PartitionKey::OfText(kKeyTenant, TableTag::kUsers, "usr_ann");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kDirect).Text("usr_bob").Sort())),
            "61636d650003"
            "7573725f616e6e00"
            "07"
            "7573725f626f6200");
}

TEST(KeyVectors, message_requests_and_credits) {
  const PartitionKey user = PartitionKey::OfText(kKeyTenant, TableTag::kUsers, "usr_ann");
  const std::string user_hex =
      "61636d650003"
      "7573725f616e6e00";
  const SortKey contact = KeyWriter().Tag(UserTag::kContact).Text("usr_bob").Id(ExampleUlid(0xaa)).Sort();
  EXPECT_EQ(Hex(RowKeyBytes(user, contact)),
            user_hex + "08" + "7573725f626f6200" + "0190a1b2c3d4101112131415161718aa");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kRequest).Id(ExampleUlid(0xbb)).Sort())),
            user_hex + "09" + "0190a1b2c3d4101112131415161718bb");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kCredits).Sort())), user_hex + "0a");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kLadder).Id(ExampleUlid(0xaa)).Sort())),
            user_hex + "14" + "0190a1b2c3d4101112131415161718aa");
}

TEST(KeyVectors, meetings_of_two_users) {
  const PartitionKey user = PartitionKey::OfText(kKeyTenant, TableTag::kUsers, "usr_ann");
  const protocol::Ulid thread = *protocol::Ulid::FromBytes(
      std::string("\x01\x90\xa1\xb2\xc3\xd4\x10\x11\x12\x13\x14\x15\x16\x17\x18\xaa", 16));
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Tag(UserTag::kMeeting).Text("usr_bob").Id(thread).Sort())),
            "61636d650003"
            "7573725f616e6e00"
            "05"
            "7573725f626f6200"
            "0190a1b2c3d4101112131415161718aa");
}

TEST(KeyVectors, places_of_reservations_in_time) {
  const PartitionKey nobody = PartitionKey::OfText(kKeyTenant, TableTag::kUsers, " due");
  EXPECT_EQ(
      Hex(RowKeyBytes(
          nobody, SortKey(KeyWriter().Tag(UserTag::kDue).Number(1'762'351'927'123).Text("usr_ann").Bytes() +
                          KeyWriter().Tag(UserTag::kCreate).Text("c-1").Bytes()))),
      "61636d650003"
      "2064756500"
      "06"
      "0000019a545c4f53"
      "7573725f616e6e00"
      "01"
      "632d3100");
}

TEST(KeyVectors, quotas_of_a_user) {
  const PartitionKey user = PartitionKey::OfText(kKeyTenant, TableTag::kQuotas, "usr_ann");
  EXPECT_EQ(Hex(RowKeyBytes(user, KeyWriter().Number(1).Sort())),
            "61636d65000c"
            "7573725f616e6e00"
            "0000000000000001");
}

TEST(KeyVectors, places_of_quotas) {
  const PartitionKey places = PartitionKey::OfText(kKeyTenant, TableTag::kQuotas, " due");
  EXPECT_EQ(Hex(RowKeyBytes(places, KeyWriter().Number(1).Number(1'762'351'927'123).Text("usr_ann").Sort())),
            "61636d65000c"
            "2064756500"
            "0000000000000001"
            "0000019a545c4f53"
            "7573725f616e6e00");
}

TEST(KeyVectors, audit_chains) {
  const PartitionKey audit = PartitionKey::OfTenant(kKeyTenant, TableTag::kAudit);
  const auto row = [&](KeyWriter& key) { return Hex(RowKeyBytes(audit, key.Sort())); };
  EXPECT_EQ(row(KeyWriter().Tag(AuditTag::kHead)), "61636d65000d01");
  EXPECT_EQ(row(KeyWriter().Tag(AuditTag::kEntry).Number(258)), "61636d65000d020000000000000102");
  EXPECT_EQ(row(KeyWriter().Tag(AuditTag::kByTime).Number(1'762'351'927'123).Number(258)),
            "61636d65000d03"
            "0000019a545c4f53"
            "0000000000000102");
  EXPECT_EQ(row(KeyWriter().Tag(AuditTag::kBy).Tag(2).Text("usr_ann").Number(1'762'351'927'123).Number(258)),
            "61636d65000d0402"
            "7573725f616e6e00"
            "0000019a545c4f53"
            "0000000000000102");
}

TEST(KeyVectors, partitions_of_a_whole_tenant) {
  EXPECT_EQ(Hex(PartitionKey::OfTenant(kKeyTenant, TableTag::kWake).bytes()), "61636d650009");
}

TEST(KeyVectors, index_partitions_and_the_descending_parts_of_their_rows) {
  const PartitionKey inbox = PartitionKey::OfText(kKeyTenant, TableTag::kInboxIndex, "usr_ann");
  EXPECT_EQ(Hex(inbox.bytes()),
            "61636d650004"
            "7573725f616e6e00");
  EXPECT_EQ(Hex(PartitionKey::OfTaggedText(kKeyTenant, TableTag::kProjectIndex, 1, "lbg_1").bytes()),
            "61636d650005"
            "01"
            "6c62675f3100");
  EXPECT_EQ(Hex(PartitionKey::OfTaggedText(kKeyTenant, TableTag::kProjectIndex, 2, "leg_1").bytes()),
            "61636d650005"
            "02"
            "6c65675f3100");
  EXPECT_EQ(Hex(PartitionKey::OfUlid(kKeyTenant, TableTag::kPlacement, ExampleUlid(0xaa)).bytes()),
            "61636d650006"
            "0190a1b2c3d4101112131415161718aa");
  EXPECT_EQ(Hex(PartitionKey::OfTenant(kKeyTenant, TableTag::kEffectFeed).bytes()), "61636d650008");
  EXPECT_EQ(Hex(KeyWriter().NumberDescending(258).IdDescending(ExampleUlid(0xaa)).Bytes()),
            "fffffffffffffefd"
            "fe6f5e4d3c2befeeedecebeae9e8e755");
}

template <class T>
concept StandsInAKey = requires(KeyWriter writer, T text) {
  writer.Text(text);
};

TEST(KeyText, no_unchecked_text_gets_into_a_key) {
  static_assert(StandsInAKey<protocol::KeyText>);
  static_assert(!StandsInAKey<std::string> && !StandsInAKey<std::string_view>);
  static_assert(!std::is_constructible_v<protocol::KeyText, std::string>);
  static_assert(!std::is_constructible_v<protocol::UserId, std::string>);
  using namespace std::string_view_literals;
  EXPECT_EQ(protocol::KeyText::From("a\0b"sv), std::nullopt);
  EXPECT_EQ(protocol::KeyText::From("ab")->text(), "ab");
  EXPECT_EQ(protocol::KeyText::UpToNul("a\0b"sv).text(), "a");
}

// Draws the values that make up a sort key: each shape is compared as a tuple and as bytes.
class Shapes : public testing::Test {
 protected:
  uint64_t Number() {
    // Small, close together, or any number: pairs must often share their first bytes.
    switch (rng_() % 3) {
      case 0:
        return rng_() % 4;
      case 1:
        return (uint64_t{1} << (rng_() % 64)) + rng_() % 3 - 1;
      default:
        return rng_();
    }
  }
  protocol::KeyText Text() {
    constexpr char kBytes[] = {'\x01', 'a', 'b', '\x7f', '\x80', '\xff'};
    std::string out;
    for (size_t i = rng_() % 5; i > 0; --i) out += kBytes[rng_() % sizeof kBytes];
    return protocol::KeyText::UpToNul(out);
  }
  Ulid Id() {
    Ulid out;
    for (uint8_t& byte : out.bytes) byte = rng_() % 4 == 0 ? static_cast<uint8_t>(rng_()) : 0x80;
    return out;
  }

  // `draw` makes a pair (value that orders as it should, encoding).
  template <class Draw>
  void ExpectOrderKept(const Draw& draw) {
    for (int i = 0; i < 3000; ++i) {
      const auto [a, a_bytes] = draw();
      const auto [b, b_bytes] = draw();
      ASSERT_EQ(a < b, a_bytes < b_bytes) << Hex(a_bytes) << " " << Hex(b_bytes);
      ASSERT_EQ(a == b, a_bytes == b_bytes) << Hex(a_bytes) << " " << Hex(b_bytes);
      ASSERT_FALSE(a != b && b_bytes.starts_with(a_bytes)) << "one key is a prefix of another";
    }
  }

  std::mt19937_64 rng_{20240707};
};

TEST_F(Shapes, numbers_order_upwards_and_descending_ones_downwards) {
  ExpectOrderKept([&] {
    const uint64_t n = Number();
    return std::pair(n, KeyWriter().Number(n).Bytes());
  });
  ExpectOrderKept([&] {
    const uint64_t n = Number();
    return std::pair(~n, KeyWriter().NumberDescending(n).Bytes());
  });
}

TEST_F(Shapes, texts_order_as_bytes_whatever_follows_them) {
  ExpectOrderKept([&] {
    const std::tuple value{Text(), Text()};
    return std::pair(value, KeyWriter().Text(std::get<0>(value)).Text(std::get<1>(value)).Bytes());
  });
  ExpectOrderKept([&] {
    const std::tuple value{Text(), Number()};
    return std::pair(value, KeyWriter().Text(std::get<0>(value)).Number(std::get<1>(value)).Bytes());
  });
}

TEST_F(Shapes, ids_order_by_time_and_descending_ones_backwards) {
  ExpectOrderKept([&] {
    const std::tuple value{Id(), Number()};
    return std::pair(value, KeyWriter().Id(std::get<0>(value)).Number(std::get<1>(value)).Bytes());
  });
  ExpectOrderKept([&] {
    const uint64_t n = Number();
    const Ulid id = Id();
    Ulid inverse = id;
    for (uint8_t& byte : inverse.bytes) byte = static_cast<uint8_t>(255 - byte);
    return std::pair(std::tuple{UINT64_MAX - n, inverse},
                     KeyWriter().NumberDescending(n).IdDescending(id).Bytes());
  });
}

TEST_F(Shapes, physical_keys_order_by_tenant_table_partition_and_row) {
  constexpr TableTag kUlidTables[] = {TableTag::kThreads, TableTag::kPlacement};
  constexpr TableTag kTextTables[] = {TableTag::kUsers, TableTag::kInboxIndex};
  const auto tenant = [&] { return TenantId{("t" + Text().text()).c_str()}; };
  ExpectOrderKept([&] {
    const std::tuple value{tenant(), kUlidTables[rng_() % 2], Id(), Number()};
    const auto& [t, table, id, n] = value;
    return std::pair(value, RowKeyBytes(PartitionKey::OfUlid(t, table, id), KeyWriter().Number(n).Sort()));
  });
  ExpectOrderKept([&] {
    const std::tuple value{tenant(), kTextTables[rng_() % 2], Text(), Text()};
    const auto& [t, table, id, text] = value;
    return std::pair(value, RowKeyBytes(PartitionKey::OfText(t, table, id), KeyWriter().Text(text).Sort()));
  });
  ExpectOrderKept([&] {
    const std::tuple value{tenant(), static_cast<uint8_t>(1 + rng_() % 2), Text(), Id()};
    const auto& [t, tag, text, id] = value;
    const auto partition = PartitionKey::OfTaggedText(t, TableTag::kProjectIndex, tag, text);
    return std::pair(value, RowKeyBytes(partition, KeyWriter().Id(id).Sort()));
  });
}

TEST_F(Shapes, every_key_reads_back_and_no_truncated_one_does) {
  for (int i = 0; i < 500; ++i) {
    const protocol::KeyText text = Text();
    const uint64_t up = Number(), down = Number();
    const Ulid id = Id(), back = Id();
    const std::string bytes = KeyWriter()
                                  .Tag(ThreadTag::kHistory)
                                  .Text(text)
                                  .Number(up)
                                  .NumberDescending(down)
                                  .Id(id)
                                  .IdDescending(back)
                                  .Bytes();
    protocol::KeyText text_read;
    uint64_t up_read = 0, down_read = 0;
    Ulid id_read, back_read;
    const auto read = [&](std::string_view from) {
      KeyReader reader(from);
      return reader.Tag(ThreadTag::kHistory) && reader.Text(&text_read) && reader.Number(&up_read) &&
             reader.NumberDescending(&down_read) && reader.Id(&id_read) && reader.IdDescending(&back_read) &&
             reader.AtEnd();
    };
    ASSERT_TRUE(read(bytes));
    ASSERT_EQ(std::tie(text_read, up_read, down_read, id_read, back_read),
              std::tie(text, up, down, id, back));
    for (size_t size = 0; size < bytes.size(); ++size)
      ASSERT_FALSE(read(std::string_view(bytes).substr(0, size)));
    ASSERT_FALSE(read(bytes + "x"));
  }
}

std::vector<PartitionKey> ExamplePartitions() {
  return {ExampleThread(),
          PartitionKey::OfUlid(kKeyTenant, TableTag::kPlacement, ExampleUlid(0)),
          PartitionKey::OfText(kKeyTenant, TableTag::kUsers, "usr_ann"),
          PartitionKey::OfText(kKeyTenant, TableTag::kInboxIndex, ""),
          PartitionKey::OfTaggedText(kKeyTenant, TableTag::kProjectIndex, 2, "leg_1"),
          PartitionKey::OfTenant(kKeyTenant, TableTag::kEffectFeed),
          PartitionKey::OfStore()};
}

TEST(Split, splits_every_physical_key_into_its_parts) {
  for (const PartitionKey& partition : ExamplePartitions()) {
    for (const std::string& sort : {std::string(), std::string("\x01"), std::string("\0\xff\0", 3)}) {
      const auto split = Split(RowKeyBytes(partition, SortKey(sort)));
      ASSERT_TRUE(split.has_value()) << Hex(partition.bytes());
      EXPECT_EQ(split->partition, partition);
      EXPECT_EQ(split->sort.bytes(), sort);
    }
  }
}

TEST(Split, refuses_every_truncated_partition) {
  for (const PartitionKey& partition : ExamplePartitions()) {
    for (size_t size = 0; size < partition.bytes().size(); ++size) {
      EXPECT_FALSE(Split(partition.bytes().substr(0, size)).has_value())
          << Hex(partition.bytes()) << " cut to " << size;
      EXPECT_FALSE(PartitionKey::FromBytes(partition.bytes().substr(0, size)).has_value());
    }
  }
}

TEST(Split, refuses_unknown_tables_store_rows_of_a_tenant_and_other_rows_of_none) {
  EXPECT_FALSE(Split(std::string("acme\0\x7f 0123456789abcdef", 23)).has_value());
  EXPECT_FALSE(Split(std::string("acme\0\0 0123456789abcdef", 23)).has_value());
  EXPECT_FALSE(Split(std::string("acme\0\x01\x01", 7)).has_value());
  EXPECT_FALSE(Split(std::string("\0\x03"
                                 "ann\0",
                                 6))
                   .has_value());
}

TEST(Partition, bytes_round_trip_and_name_their_parts) {
  for (const PartitionKey& partition : ExamplePartitions()) {
    const auto back = PartitionKey::FromBytes(partition.bytes());
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, partition);
    EXPECT_FALSE(PartitionKey::FromBytes(partition.bytes() + "x").has_value())
        << "a sort key is no partition";
  }
  EXPECT_EQ(ExampleThread().tenant(), "acme");
  EXPECT_EQ(ExampleThread().table(), TableTag::kThreads);
  EXPECT_EQ(ExampleThread().id(), ExampleUlid(0xaa).raw());
}

TEST(StoreRows, a_change_log_key_reads_back_and_no_other_key_passes_for_one) {
  const std::string key = ChangeLogKey(77);
  EXPECT_EQ(ParseChangeLogKey(key), 77u);
  for (size_t size = 0; size < key.size(); ++size)
    EXPECT_FALSE(ParseChangeLogKey(key.substr(0, size)).has_value());
  EXPECT_FALSE(ParseChangeLogKey(key + "x").has_value());
  EXPECT_FALSE(ParseChangeLogKey(CursorKey("1234567")).has_value());
  EXPECT_FALSE(ParseChangeLogKey(MetaKey()).has_value());
  EXPECT_EQ(DecodePosition(EncodePosition(77)), 77u);
  EXPECT_FALSE(DecodePosition("1234567").has_value());
  EXPECT_FALSE(DecodePosition("123456789").has_value());
}

TEST(UpperBound, is_the_smallest_string_above_everything_with_the_prefix) {
  EXPECT_EQ(UpperBound("ab"), "ac");
  EXPECT_EQ(UpperBound("a\xff\xff"), "b");
  EXPECT_EQ(UpperBound("\xff"), "");
  EXPECT_EQ(UpperBound(""), "");
}

}  // namespace
}  // namespace parley::storage
