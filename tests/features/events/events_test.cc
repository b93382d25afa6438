// Events: EV-1 to EV-10 of docs/tables.md, except leases (event_inbox_test.cc).
#include "features/events/events.h"

#include <gtest/gtest.h>

#include <set>

#include "features/events/expired_events.h"
#include "features/events/payload.h"
#include "tests/features/events/event_scene.h"

namespace parley::features {
namespace {

constexpr int64_t kDayMs = 24 * 3600 * 1000;

class EventsTest : public testing::Test {
 protected:
  EventScene scene_;
};

TEST_F(EventsTest, ev_1_accepts_any_json_object) {
  const std::string body =
      R"({"a":[1,2.50,null,true,{"":""}],"big":12345678901234567890123,"small":0.1,"t":"\u00e9\u0000\"","type":"x.y"})";
  const std::string id = scene_.Post(body);
  ASSERT_EQ(id.size(), 36u);
  EXPECT_EQ(id[14], '4');
  EXPECT_TRUE(std::string("89ab").find(id[19]) != std::string::npos);
  const auto event = GetEvent(scene_.Reads(), id);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(EventToJson(*event),
            R"({"eventId":")" + id +
                R"(","type":"x.y","status":"undelivered","createdAt":"2025-11-05T14:12:07.123Z",)"
                R"("deliveredAt":null,"payload":{"a":[1,2.5,null,true,{"":""}],)"
                R"("big":12345678901234567890123,"small":0.1,"t":"é\u0000\"","type":"x.y"}})");
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(EventsTest, ev_1_rejects_other_values_and_objects_that_cannot_be_stored) {
  const std::string deep = std::string(32, '[') + std::string(32, ']');
  for (const std::string& body :
       {std::string(), std::string("[]"), std::string("1"), std::string("{"), std::string("{}{}"),
        std::string(R"({"a":1e126})"), "{\"a\":" + std::string(39, '7') + "}", "{\"a\":" + deep + "}",
        std::string("{\"a\":\"\xff\"}"), std::string(R"({"type":"a#b"})"), std::string(R"({"type":"a b"})")})
    EXPECT_EQ(scene_.Post(body), "BAD_REQUEST") << body;
  const std::string fits = R"({"a":")" + std::string(kPayloadBytesMax - 8, 'x') + R"("})";
  EXPECT_EQ(scene_.Post(fits).size(), 36u);
  EXPECT_EQ(scene_.Post(fits + " "), "TOO_LARGE");
  EXPECT_EQ(scene_.Post("{}", "a#b"), "BAD_REQUEST");
  EXPECT_EQ(scene_.Post("{}", ""), "BAD_REQUEST");
  std::string many = "{\"a\":[0";
  while (many.size() < kPayloadBytesMax - 4) many += ",0";
  EXPECT_EQ(scene_.Post(many + "]}").size(), 36u);
}

TEST_F(EventsTest, ev_1_a_put_does_not_replace_an_event) {
  const NewEvent event{NewEventId(), "", {}};
  EXPECT_EQ(scene_.Put(event), "ok");
  EXPECT_EQ(scene_.Put(event), "ALREADY_EXISTS");
  EXPECT_EQ(scene_.Ack(event.event_id), "ok");
  EXPECT_EQ(scene_.Put(event), "ALREADY_EXISTS");
}

TEST_F(EventsTest, ev_2_the_inbox_lists_undelivered_events_oldest_first) {
  Texts ids;
  for (int n = 1; n <= 5; ++n) ids.push_back(scene_.PostNumber(n));
  scene_.Ack(ids[1]);
  scene_.Delete(ids[3]);
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), (std::vector<int>{1, 3, 5}));
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kUndelivered})), (std::vector<int>{1, 3, 5}));
  scene_.tenant = *protocol::TenantId::FromText("umbrella");
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), std::vector<int>{});
  EXPECT_EQ(scene_.Ack(ids[0]), "NOT_FOUND");
}

TEST_F(EventsTest, ev_2_events_of_one_millisecond_are_in_order_of_ids) {
  std::set<std::string> ids;
  for (int n = 0; n < 20; ++n) ids.insert(scene_.Post("{}"));
  Texts seen;
  InboxAsk ask{3, {}};
  do {
    const auto page = scene_.Inbox(ask);
    ASSERT_TRUE(page.ok());
    for (const Event& event : page->items) seen.push_back(event.event_id);
    ask.after = page->next;
  } while (ask.after);
  EXPECT_EQ(seen, Texts(ids.begin(), ids.end()));
}

TEST_F(EventsTest, ev_3_and_ev_4_list_delivered_events_and_all_events) {
  Texts ids;
  for (int n = 1; n <= 7; ++n) ids.push_back(scene_.PostNumber(n));
  for (const int n : {2, 3, 6}) scene_.Ack(ids[static_cast<size_t>(n - 1)]);
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kDelivered})), (std::vector<int>{2, 3, 6}));
  for (size_t limit = 1; limit <= 8; ++limit) {
    std::vector<int> seen;
    EventAsk ask{{}, {}, limit, {}};
    size_t pages = 0;
    do {
      const auto page = scene_.List(ask);
      for (const int n : scene_.Numbers(page)) seen.push_back(n);
      ask.after = page->next;
      ASSERT_LE(++pages, 7u);
    } while (ask.after);
    EXPECT_EQ(seen, (std::vector<int>{7, 6, 5, 4, 3, 2, 1})) << limit;
    EXPECT_EQ(pages, (7 + limit - 1) / limit);
  }
}

TEST_F(EventsTest, ev_5_an_event_is_read_by_its_id_and_tenant) {
  const std::string id = scene_.PostNumber(1);
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), id)), "ok");
  for (const std::string& other : {std::string(), std::string("x"), NewEventId(), std::string(3000, 'a')})
    EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), other)), "NOT_FOUND");
  scene_.tenant = *protocol::TenantId::FromText("umbrella");
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), id)), "NOT_FOUND");
}

TEST_F(EventsTest, ev_6_an_acknowledgement_is_repeated_without_effect) {
  const std::string id = scene_.PostNumber(1);
  const protocol::Time created = scene_.items.clock.Now();
  scene_.items.clock.Advance(1000);
  EXPECT_EQ(scene_.Ack(id), "ok");
  scene_.items.clock.Advance(1000);
  EXPECT_EQ(scene_.Ack(id), "ok");
  const auto event = GetEvent(scene_.Reads(), id);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->created_at, created);
  EXPECT_EQ(event->delivered_at->ms, created.ms + 1000);
  EXPECT_EQ(event->status, EventStatus::kDelivered);
}

TEST_F(EventsTest, ev_6_a_deleted_event_does_not_return) {
  const std::string id = scene_.PostNumber(1);
  const auto [gone, acked] =
      scene_.DecideBoth<protocol::Unit>([&](accounts::RecordTransaction& tx) { return DeleteEvent(tx, id); },
                                        [&](accounts::RecordTransaction& tx) -> protocol::Status {
                                          PARLEY_TRY(event, AckEvent(tx, id));
                                          return event.event_id == id ? protocol::Ok() : protocol::Error();
                                        });
  EXPECT_EQ(accounts::CodeOf(gone), "ok");
  EXPECT_EQ(accounts::CodeOf(acked), "NOT_FOUND");
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), id)), "NOT_FOUND");
  EXPECT_EQ(scene_.Delete(id), "NOT_FOUND");  // EV-7
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(EventsTest, ev_8_many_events_are_acknowledged_with_a_result_each) {
  const std::string a = scene_.PostNumber(1), b = scene_.PostNumber(2), c = scene_.PostNumber(3);
  scene_.Ack(b);
  const Texts ids = {c, NewEventId(), a, c, "x", b};
  const auto done = scene_.Decide<std::vector<AckResult>>(
      [&](accounts::RecordTransaction& tx) { return AckEvents(tx, ids); });
  ASSERT_TRUE(done.ok());
  std::string found;
  for (size_t i = 0; i < done->size(); ++i) {
    EXPECT_EQ((*done)[i].event_id, ids[i]);
    found += (*done)[i].found ? '+' : '-';
  }
  EXPECT_EQ(found, "+-++-+");
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), std::vector<int>{});
  for (const size_t count : {0, 101}) {
    EXPECT_EQ(accounts::CodeOf(scene_.Decide<std::vector<AckResult>>(
                  [&](accounts::RecordTransaction& tx) { return AckEvents(tx, Texts(count, a)); })),
              "BAD_REQUEST");
  }
}

TEST_F(EventsTest, ev_8_a_hundred_large_events_need_several_transactions) {
  Texts ids;
  for (int n = 0; n < 100; ++n)
    ids.push_back(scene_.Post(R"({"a":")" + std::string(kPayloadBytesMax - 8, 'x') + R"("})"));
  const auto done = scene_.Decide<std::vector<AckResult>>(
      [&](accounts::RecordTransaction& tx) { return AckEvents(tx, ids); });
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(scene_.Inbox()->items.size(), 0u);
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), ids.back())), "ok");
}

TEST_F(EventsTest, ev_9_types_are_listed_separately) {
  scene_.PostNumber(1, "order");
  scene_.PostNumber(2, "orders");
  const std::string third = scene_.PostNumber(3, "order");
  scene_.PostNumber(4, "order");
  scene_.Ack(third);
  EXPECT_EQ(scene_.Numbers(scene_.List({{}, "order"})), (std::vector<int>{1, 3, 4}));
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kUndelivered, "order"})), (std::vector<int>{1, 4}));
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kDelivered, "order"})), std::vector<int>{3});
  EXPECT_EQ(scene_.Numbers(scene_.List({{}, "orde"})), std::vector<int>{});
  EXPECT_EQ(accounts::CodeOf(scene_.List({{}, "a#b"})), "BAD_REQUEST");
  const auto first = scene_.List({EventStatus::kUndelivered, "order", 1});
  ASSERT_TRUE(first->next);
  EXPECT_EQ(scene_.Numbers(scene_.List({EventStatus::kUndelivered, "order", 1, first->next})),
            std::vector<int>{4});
}

TEST_F(EventsTest, ev_10_a_cursor_stays_valid_after_acknowledgements_before_it) {
  Texts ids;
  for (int n = 1; n <= 6; ++n) ids.push_back(scene_.PostNumber(n));
  const auto first = scene_.Inbox({2, {}});
  EXPECT_EQ(scene_.Numbers(first), (std::vector<int>{1, 2}));
  for (const int n : {0, 1, 3}) scene_.Ack(ids[static_cast<size_t>(n)]);
  const auto second = scene_.Inbox({2, first->next});
  EXPECT_EQ(scene_.Numbers(second), (std::vector<int>{3, 5}));
  EXPECT_EQ(scene_.Numbers(scene_.Inbox({2, second->next})), std::vector<int>{6});
  EXPECT_FALSE(scene_.Inbox({2, second->next})->next);
  for (const char* cursor : {"", "x", "0000000000001", "-000000000001aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"})
    EXPECT_EQ(accounts::CodeOf(scene_.Inbox({2, cursor})), "BAD_REQUEST") << cursor;
}

// A burst in one millisecond, with acknowledgements between the pages.
TEST_F(EventsTest, ev_2_and_ev_6_each_of_a_burst_is_seen_once_while_others_are_acknowledged) {
  std::set<std::string> ids;
  for (int n = 0; n < 1000; ++n) ids.insert(scene_.Post("{\"n\":" + std::to_string(n) + "}"));
  ASSERT_EQ(ids.size(), 1000u);
  Texts seen;
  InboxAsk ask{7, {}};
  do {
    const auto page = scene_.Inbox(ask);
    ASSERT_TRUE(page.ok());
    ASSERT_FALSE(page->items.empty());
    for (size_t i = 0; i < page->items.size(); ++i) {
      seen.push_back(page->items[i].event_id);
      if ((seen.size() + i) % 3 == 0) continue;
      ASSERT_EQ(scene_.Ack(page->items[i].event_id), "ok");
    }
    ask.after = page->next;
  } while (ask.after);
  EXPECT_EQ(seen, Texts(ids.begin(), ids.end()));
  size_t left = 0;
  ask = {100, {}};
  do {
    const auto page = scene_.Inbox(ask);
    for (const Event& event : page->items) ASSERT_EQ(scene_.Ack(event.event_id), "ok");
    left += page->items.size();
    ask.after = page->next;
  } while (ask.after);
  EXPECT_GT(left, 300u);
  EXPECT_TRUE(scene_.Inbox()->items.empty());
  EXPECT_EQ(scene_.items.Check(), Texts{});
}

TEST_F(EventsTest, events_expire) {
  const std::string waits = scene_.PostNumber(1), acked = scene_.PostNumber(2);
  scene_.items.clock.Advance(25 * kDayMs);
  scene_.Ack(acked);
  scene_.items.clock.Advance(5 * kDayMs - 1);
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), waits)), "ok");
  scene_.items.clock.Advance(1001);
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), waits)), "NOT_FOUND");
  EXPECT_EQ(scene_.Numbers(scene_.Inbox()), std::vector<int>{});
  EXPECT_EQ(scene_.Ack(waits), "NOT_FOUND");
  scene_.items.clock.Advance(2 * kDayMs - 2000);
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), acked)), "ok");
  scene_.items.clock.Advance(2000);
  EXPECT_EQ(accounts::CodeOf(GetEvent(scene_.Reads(), acked)), "NOT_FOUND");
  scene_.items.StepUntilIdle();
  EXPECT_EQ(scene_.items.StatsOf("Events").items, 0);
  EXPECT_EQ(scene_.items.expired, (Texts{"Events", "Events"}));
}

// The item writer reports expired items; those of other tables do not count.
TEST(ExpiredEvents, counts_events_that_were_never_acknowledged) {
  protocol::Metrics metrics;
  const OnExpiredItem on_expired = AddExpiredEvents(metrics);
  const auto value = [&] {
    const std::string text = metrics.Render(), name = "\nparley_events_expired_total ";
    return text.substr(text.find(name) + name.size(), 1);
  };
  const auto tenant = *protocol::TenantId::FromText("acme");
  storage::Item item = NewEventItem(tenant, NewEventId(), "t", {}, {1000});
  on_expired(*accounts::SeedTable("Events"), item);
  EXPECT_EQ(value(), "1");
  SetDelivered(&item, {2000});
  on_expired(*accounts::SeedTable("Events"), item);
  on_expired(*accounts::SeedTable("permission"), NewEventItem(tenant, NewEventId(), "t", {}, {1000}));
  EXPECT_EQ(value(), "1");
}

TEST(EventIds, distinguish_a_threads_changes_and_keep_their_order) {
  const auto tenant = *protocol::TenantId::FromText("acme");
  const auto thread = *protocol::ThreadId::FromText("thrd_01m7yrf2sj68a1mp3h0c8degyz");
  const auto kind = protocol::EventKind::kMessageCreated;
  const std::string id = DomainEventId(tenant, thread, 258, kind);
  EXPECT_EQ(id.substr(0, 15), "00000000-0102-8");
  EXPECT_EQ(id.size(), 36u);
  EXPECT_EQ(id, DomainEventId(tenant, thread, 258, kind));
  EXPECT_LT(id, DomainEventId(tenant, thread, 259, kind));
  EXPECT_NE(id, DomainEventId(tenant, thread, 258, protocol::EventKind::kMessageUpdated));
  EXPECT_NE(id, DomainEventId(*protocol::TenantId::FromText("umbrella"), thread, 258, kind));
  EXPECT_NE(id, DomainEventId(tenant, protocol::ThreadId{thread.ulid.Next()}, 258, kind));
}

}  // namespace
}  // namespace parley::features
