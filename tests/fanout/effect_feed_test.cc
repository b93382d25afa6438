// Tests the effect feed: large rows, and pages that stay bounded for any rows.
#include <gmock/gmock.h>

#include "fanout/index_reads.h"
#include "tests/fanout/verify_scene.h"
#include "tests/threads/cards/card_rows.h"

namespace parley::fanout {
namespace {

using protocol::OutboxItem;

class EffectFeed : public VerifyScene {
 protected:
  EffectFeed() : VerifyScene(threads::PortsNamed({"events"})) {}
  void SetUp() override { ASSERT_EQ(scene.Run("buyer thread.create kind=project"), "ok"); }

  struct Page {
    std::vector<OutboxItem> items;
    std::optional<std::string> cursor;
  };
  Page List(const std::optional<std::string>& cursor = std::nullopt) {
    const storage::Snapshot snapshot = scene.core.table->NewSnapshot();
    const threads::CursorCodec cursors("secret");
    const Caller caller = threads::CallerFrom("service");
    const threads::ReadContext context{*snapshot, caller, cursors, scene.core.clock.Now()};
    protocol::OutboxList::Args args;
    args.cursor = cursor;
    const auto answer = ListOutbox(context, args);
    EXPECT_TRUE(answer.ok());
    Page page;
    const protocol::Document reply = threads::DecodeOwn(*answer);
    for (const protocol::Value& item : *reply.root.Find("items")->as_array())
      EXPECT_TRUE(protocol::Bind(item, &page.items.emplace_back()).ok());
    if (const auto* text = reply.root.Find("cursor")->as_text()) page.cursor = std::string(*text);
    return page;
  }
  // Makes the row of an effect larger than any command could.
  void Inflate(int64_t seq, size_t texts, size_t bytes) {
    const auto partition = threads::ThreadPartition(kTenant, scene.core.ThreadNamed("T"));
    std::optional<storage::Row> row;
    ASSERT_TRUE(scene.core.table->Get(partition, threads::EffectKey(seq), &row).ok() && row);
    auto item = threads::ItemFrom<OutboxItem>(row->payload);
    protocol::Writer w;
    w.BeginMap(1);
    w.Text("list");
    w.BeginArray(texts);
    for (size_t i = 0; i < texts; ++i) w.Text(std::string(bytes, 'x'));
    item.payload.msgpack = w.Take();
    Plant(partition, threads::EffectKey(seq), protocol::Encode(item));
  }
};

TEST_F(EffectFeed, carries_the_largest_payload_that_a_card_may_have) {
  std::string list = "[";
  for (int i = 0; i < 990; ++i) list += (i ? ",1" : "1");
  const std::string payload = R"({"text":")" + std::string(14'000, 'x') + R"(","list":)" + list + "]}";
  ASSERT_EQ(scene.Run(R"(buyer card.create type=CUSTOM allowedTransitions=[{"intent":"go","toState":"GONE"}])"
                      " payload=" +
                      payload),
            "ok");
  const Page page = List();
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_GT(page.items[0].payload.msgpack.size(), 14'900u);
  scene.worker->SaveCursors();
  EXPECT_THAT(Verify(), testing::IsEmpty());
}

TEST_F(EffectFeed, projects_a_row_far_beyond_what_a_frame_may_hold) {
  ASSERT_EQ(scene.Do("buyer card.create type=CANCEL_REQUEST"), "ok");
  Inflate(5, 40'000, 10);  // more values and bytes than a frame may have
  scene.Settle();
  const Page page = List();
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_GT(page.items[0].payload.msgpack.size(), 400'000u);
  scene.worker->SaveCursors();
  EXPECT_THAT(Verify(), testing::IsEmpty());
}

TEST_F(EffectFeed, a_page_is_bounded_in_bytes_and_the_next_continues) {
  for (int i = 0; i < 3; ++i) ASSERT_EQ(scene.Do("buyer card.create type=CANCEL_REQUEST"), "ok");
  for (const int64_t seq : {5, 7, 9}) Inflate(seq, 1, 700'000);
  scene.Settle();
  std::vector<std::string> seen;
  std::optional<std::string> cursor;
  size_t pages = 0;
  do {
    const Page page = List(cursor);
    ASSERT_EQ(page.items.size(), 1u) << "two do not fit into a page";
    seen.push_back(page.items[0].effect_id.value);
    cursor = page.cursor;
    ASSERT_LE(++pages, 3u);
  } while (cursor);
  EXPECT_THAT(seen, testing::ElementsAre(scene.names.IdOf("M1") + ".5", scene.names.IdOf("M2") + ".7",
                                         scene.names.IdOf("M3") + ".9"));
}

}  // namespace
}  // namespace parley::fanout
