// Tests the sort keys of the derived tables, byte by byte (storage/FORMAT.md), and that they read back.
#include "fanout/keys.h"

#include <gtest/gtest.h>

#include "fanout/inbox_rows.h"
#include "fanout/renewal.h"
#include "fanout/upkeep.h"

namespace parley::fanout {
namespace {

std::string Hex(const storage::SortKey& key) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : key.bytes()) {
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return out;
}

const ThreadId kThread{*protocol::Ulid::FromBytes(
    std::string_view("\x01\x90\xa1\xb2\xc3\xd4\x10\x11\x12\x13\x14\x15\x16\x17\x18\xaa", 16))};
const InboxPlace kPlace{*protocol::ParseTime("2025-11-05T14:12:07.123Z"), kThread};
constexpr Cell kCell{kUnreadBit | kProjectBit};
const std::string kPlaceHex = "fffffe65aba3b0acfe6f5e4d3c2befeeedecebeae9e8e755";

TEST(IndexKeys, have_the_bytes_of_existing_stores) {
  EXPECT_EQ(Hex(InboxKey(kCell, kPlace)), "030005" + kPlaceHex);
  EXPECT_EQ(Hex(LabelKey("Later", kCell, kPlace)), "044c61746572000005" + kPlaceHex);
  EXPECT_EQ(Hex(InboxCountsKey()), "05");
  EXPECT_EQ(Hex(InboxPlacementKey()), "01");
  EXPECT_EQ(Hex(ProjectPlacementKey()), "02");
  EXPECT_EQ(Hex(EffectPlacementKey(258)), "030000000000000102");
  EXPECT_EQ(Hex(SeatKey({"usr_ann"})), "047573725f616e6e00");
  EXPECT_EQ(Hex(WakeKey({kPlace.at, threads::ClockTask::kSnooze, kThread, {"usr_ann"}})),
            "0000019a545c4f53010190a1b2c3d4101112131415161718aa7573725f616e6e00");
  EXPECT_EQ(Hex(AsideKey("inbox", kThread)), "05696e626f78000190a1b2c3d4101112131415161718aa");
  EXPECT_EQ(Hex(RepairKey(258)), "060000000000000102");
  EXPECT_EQ(Hex(RenewalKey("inbox")), "07696e626f7800");
}

TEST(IndexKeys, read_back_and_are_rejected_if_cut_short_or_longer) {
  InboxKeyParts parts;
  const std::string entry = InboxKey(kCell, kPlace).bytes(), label = LabelKey("Later", kCell, kPlace).bytes();
  ASSERT_TRUE(ParseInboxKey(entry, &parts));
  EXPECT_TRUE(parts.kind == InboxRowKind::kEntry && parts.cell == kCell && parts.place == kPlace);
  ASSERT_TRUE(ParseInboxKey(label, &parts));
  EXPECT_TRUE(parts.kind == InboxRowKind::kLabel && parts.label == "Later" && parts.cell == kCell);
  for (const std::string& key : {entry, label, InboxCountsKey().bytes()}) {
    for (size_t size = 0; size < key.size(); ++size) EXPECT_FALSE(ParseInboxKey(key.substr(0, size), &parts));
    EXPECT_FALSE(ParseInboxKey(key + '\0', &parts));
  }
  Wake wake;
  const std::string key = WakeKey({kPlace.at, threads::ClockTask::kTip, kThread, {}}).bytes();
  ASSERT_TRUE(ParseWakeKey(key, &wake));
  EXPECT_TRUE(wake.kind == threads::ClockTask::kTip && wake.thread == kThread && wake.at == kPlace.at);
  for (size_t size = 0; size < key.size(); ++size) EXPECT_FALSE(ParseWakeKey(key.substr(0, size), &wake));
  UserId user;
  EXPECT_TRUE(ParseSeatKey(SeatKey({"ann"}).bytes(), &user) && user.value == "ann");
  EXPECT_FALSE(ParseSeatKey(InboxPlacementKey().bytes(), &user));
  int64_t seq = 0;
  EXPECT_TRUE(ParseEffectPlacementKey(EffectPlacementKey(258).bytes(), &seq) && seq == 258);
  EXPECT_FALSE(ParseEffectPlacementKey(SeatKey({"ann"}).bytes(), &seq));
}

TEST(SeatCodec, encodes_the_end_of_a_mute_and_reads_rows_of_0_1_0) {
  const Seat muted{Cell{kMutedBit | kUnreadBit}, 5, 7, protocol::KeyText("Later")};
  const Seat plain{kCell, 5, 0, protocol::KeyText("Later")};
  for (const Seat& seat : {muted, plain}) {
    Seat again;
    ASSERT_TRUE(DecodeSeat(EncodeSeat(seat), &again));
    EXPECT_EQ(again, seat);
  }
  EXPECT_EQ(EncodeSeat(plain), "\x05\x05Later");
}

TEST(CellCountsCodec, reads_back_and_rejects_bytes_that_it_would_not_write) {
  const CellCounts counts = {{Cell{}, 3}, {kCell, 300}};
  CellCounts again;
  ASSERT_TRUE(DecodeCounts(EncodeCounts(counts), &again));
  EXPECT_EQ(again, counts);
  for (const std::string_view wrong : {std::string_view("\x01", 1), std::string_view("\x01\x00", 2),
                                       std::string_view("\x01\x02\x01\x02", 4)}) {
    CellCounts out;
    EXPECT_FALSE(DecodeCounts(wrong, &out));
  }
}

}  // namespace
}  // namespace parley::fanout
