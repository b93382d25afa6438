// The project panel: its tabs, their visibility, and their edits.
#include <gtest/gtest.h>

#include "tests/gateway/project_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(ProjectBehaviours, a_thread_opens_with_its_panel_and_the_panels_version) {
  const std::string thread = Create("project", R"(,"brief":{"title":"Saturday"})");
  Put(ann_, thread, "shotlist", 0, R"({"shots":[{"id":"1","name":"a","status":"done"}]})");
  for (const char* op : {"thread.open", "thread.get"}) {
    const Frame opened = bob_.Ask(op, In(thread));
    ASSERT_EQ(opened.Size("ok.tabs"), 2u);
    EXPECT_EQ(opened.Text("ok.tabs.0.tab"), "brief");
    EXPECT_EQ(opened.Int("ok.tabs.0.version"), 1);
    EXPECT_EQ(opened.Text("ok.tabs.1.tab"), "shotlist");
    EXPECT_EQ(opened.Int("ok.thread.panelVersion"), 2);
  }
  EXPECT_EQ(bob_.Ask("tab.get", In(thread, R"(,"tab":"moodboard")")).Int("ok.tab.version"), 0);
}

TEST_F(ProjectBehaviours, the_second_of_two_edits_of_one_version_gets_the_servers_copy) {
  const std::string thread = Create("project", R"(,"brief":{"title":"a"})");
  bob_.TakeEvents();
  EXPECT_EQ(Put(ann_, thread, "brief", 1, R"({"title":"b"})").Int("ok.tab.version"), 2);
  const auto reported = Events(bob_, "tab.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Json("item.content"), R"({"title":"b"})");
  EXPECT_EQ(reported[0].Int("item.panelVersion"), 2) << "what the thread's head says now";
  const Frame stale = Put(bob_, thread, "brief", 1, R"({"title":"c"})");
  EXPECT_EQ(Code(stale), "PANEL_VERSION_CONFLICT");
  EXPECT_EQ(stale.Int("error.current.version"), 2);
  EXPECT_EQ(stale.Json("error.current.content"), R"({"title":"b"})");
  EXPECT_EQ(stale.Text("error.current.updatedBy"), "ann");
  EXPECT_NE(stale.Text("error.current.updatedAt"), "");
  EXPECT_EQ(Put(bob_, thread, "brief", 2, R"({"title":"c"})").Int("ok.tab.version"), 3);
}

TEST_F(ProjectBehaviours, the_moodboards_order_persists_with_attribution_and_band) {
  const std::string thread = Create("project");
  const std::string one = R"({"id":"p1","url":"https://x/1","attribution":"Ann","nsfwBand":0})",
                    two = R"({"id":"p2","assetRef":"ast_2","attribution":"Bob","nsfwBand":2})";
  Import(thread, "moodboard", "{\"pins\":[" + one + "," + two + "]}");
  Put(bob_, thread, "moodboard", 1, "{\"pins\":[" + two + "," + one + "]}");
  world_.Restart();
  FakeClient ann = world_->Join("ann");
  const Frame tab = ann.Ask("tab.get", In(thread, R"(,"tab":"moodboard")"));
  EXPECT_EQ(tab.Text("ok.tab.content.pins.0.id"), "p2");
  EXPECT_EQ(tab.Text("ok.tab.content.pins.0.attribution"), "Bob");
  EXPECT_EQ(tab.Int("ok.tab.content.pins.0.nsfwBand"), 2);
  EXPECT_EQ(tab.Text("ok.tab.content.pins.1.id"), "p1");
  const std::string unnamed = R"({"pins":[{"id":"p3","url":"https://x/3","nsfwBand":0}]})";
  EXPECT_EQ(Code(Put(ann, thread, "moodboard", 2, unnamed)), "BAD_REQUEST");
}

// If a pin is above the viewer's band, every reply that contains the tab leaves out the link to its picture.
class Moodboard : public ProjectBehaviours {
 protected:
  void SetUp() override {
    thread_ = Create("project");
    Import(thread_, "moodboard", "{\"pins\":[" + kSafe + "," + kMature + "]}");
  }
  FakeClient Adult(const std::string& user, const char* safe_mode) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(world_->AdultToken(user), std::string(R"("safeMode":)") + safe_mode).ok());
    return client;
  }
  std::string Pins(FakeClient& who) {
    return who.Ask("tab.get", In(thread_, R"(,"tab":"moodboard")")).Json("ok.tab.content.pins");
  }
  const std::string kSafe = R"({"id":"p1","url":"https://x/1","attribution":"Ann","nsfwBand":1})",
                    kMature =
                        R"({"id":"p2","assetRef":"ast_2","attribution":"Bob","nsfwBand":2,"caption":"c"})",
                    kWithheld =
                        R"({"id":"p2","attribution":"Bob","nsfwBand":2,"caption":"c","withheld":true})";
  const std::string all_ = "[" + kSafe + "," + kMature + "]", careful_ = "[" + kSafe + "," + kWithheld + "]";
  std::string thread_;
};

TEST_F(Moodboard, a_pin_above_the_viewers_band_is_withheld) {
  EXPECT_EQ(Pins(bob_), careful_);
  FakeClient wishes = Adult("bob", "false"), wishes_not = Adult("bob", "true");
  EXPECT_EQ(Pins(wishes), all_);
  EXPECT_EQ(Pins(wishes_not), careful_);
  FakeClient minor = world_->Connect();
  minor.Hello(world_->Token("bob"), R"("safeMode":false)");
  EXPECT_EQ(Pins(minor), careful_) << "only an adult lifts it";
  FakeClient staff = Staff();
  EXPECT_EQ(Pins(staff), all_);
  ann_.Ask("thread.update", In(thread_, R"(,"version":1,"safeModeRequired":true)"));
  const std::string none =
      R"([{"id":"p1","attribution":"Ann","nsfwBand":1,"withheld":true},)" + kWithheld + "]";
  EXPECT_EQ(Pins(wishes), none) << "where it is required nobody lifts it, and only safe pins are shown";
  EXPECT_EQ(Pins(bob_), none);
}

TEST_F(Moodboard, every_op_that_returns_a_tab_withholds_the_pin) {
  const std::string epoch = world_.table().identity().epoch;
  for (const char* op : {"thread.get", "thread.open", "thread.changes"}) {
    const Frame read =
        bob_.Ask(op, In(thread_, std::string_view(op) == "thread.get" ? "" : R"(,"afterSeq":0)"));
    EXPECT_NE(read.Json().find("p2"), std::string::npos) << op;
    EXPECT_EQ(read.Json().find("ast_2"), std::string::npos) << op;
  }
  FakeClient late = world_->Connect();
  late.Hello(world_->Token("bob"),
             R"("resume":{"epoch":)" + Quoted(epoch) + R"(,"threads":{)" + Quoted(thread_) + ":0}}");
  world_->Settle();
  bob_.TakeEvents();
  const Frame put = Put(bob_, thread_, "moodboard", 1, "{\"pins\":[" + kWithheld + "," + kSafe + "]}");
  const Frame stale = Put(bob_, thread_, "moodboard", 1, "{\"pins\":[]}");
  EXPECT_EQ(put.Json("ok.tab.content.pins"), "[" + kWithheld + "," + kSafe + "]");
  EXPECT_EQ(stale.Json("error.current.content.pins"), "[" + kWithheld + "," + kSafe + "]");
  for (FakeClient* who : {&bob_, &late}) {
    const auto reported = Events(*who, "tab.updated");
    ASSERT_FALSE(reported.empty());
    for (const Frame& event : reported) EXPECT_EQ(event.Json().find("ast_2"), std::string::npos);
  }
}

TEST_F(Moodboard, a_viewers_edit_keeps_the_fields_withheld_from_them) {
  Put(bob_, thread_, "moodboard", 1, "{\"pins\":[" + kWithheld + "," + kSafe + "]}");
  FakeClient adult = Adult("ann", "false");
  EXPECT_EQ(Pins(adult), "[" + kMature + "," + kSafe + "]");
  const std::string tame = R"({"id":"p2","attribution":"Bob","nsfwBand":0,"caption":"d","withheld":true})";
  Put(bob_, thread_, "moodboard", 2, "{\"pins\":[" + tame + "]}");
  EXPECT_EQ(Pins(adult), R"([{"id":"p2","assetRef":"ast_2","attribution":"Bob","nsfwBand":2,"caption":"d"}])")
      << "its band is not the viewer's to lower, its caption is";
  const std::string forged = R"({"id":"p9","attribution":"x","nsfwBand":0,"withheld":true})";
  EXPECT_EQ(Code(Put(bob_, thread_, "moodboard", 3, "{\"pins\":[" + forged + "]}")), "BAD_REQUEST");
  EXPECT_EQ(Code(Put(bob_, thread_, "moodboard", 3, "{\"pins\":[]}")), "ok") << "a pin may be taken down";
}

TEST_F(Moodboard, an_event_withholds_the_pin_from_all_and_a_read_shows_it) {
  FakeClient adult = Adult("bob", "false");
  Put(ann_, thread_, "moodboard", 1, "{\"pins\":[" + kMature + "]}");
  const auto reported = Events(adult, "tab.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Json("item.content.pins"), "[" + kWithheld + "]") << "an event is the same for all";
  EXPECT_EQ(Pins(adult), "[" + kMature + "]");
}

TEST_F(ProjectBehaviours, shots_can_be_added_changed_and_removed_and_the_head_counts_those_done) {
  const std::string thread = Create("project");
  const auto shots = [&](int version, const std::string& list) {
    return Put(ann_, thread, "shotlist", version, "{\"shots\":[" + list + "]}");
  };
  const std::string todo = R"({"id":"1","name":"first","status":"todo"})",
                    done = R"({"id":"1","name":"first","status":"done","owner":"bob"})",
                    other = R"({"id":"2","name":"second","status":"todo"})";
  const auto progress = [&] { return bob_.Ask("thread.get", In(thread)).Json("ok.thread.shotlist"); };
  EXPECT_EQ(progress(), "null");
  shots(0, todo + "," + other);
  EXPECT_EQ(progress(), R"({"done":0,"total":2})");
  bob_.TakeEvents();
  shots(1, done + "," + other);
  EXPECT_EQ(progress(), R"({"done":1,"total":2})");
  const auto reported = Events(bob_, "tab.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Json("item.shotlist"), R"({"done":1,"total":2})") << "the others need not ask";
  EXPECT_EQ(reported[0].Int("item.panelVersion"), 2);
  shots(2, done);
  EXPECT_EQ(progress(), R"({"done":1,"total":1})");
}

TEST_F(ProjectBehaviours, services_feed_docs_and_expenses_and_members_receive_them) {
  const std::string thread = Create("project");
  const std::string docs = R"({"envelopes":[{"docId":"d1","status":"sent"}]})";
  EXPECT_EQ(Code(Put(ann_, thread, "docs", 0, docs)), "FORBIDDEN");
  EXPECT_EQ(Code(Put(bob_, thread, "expenses", 0, R"({"lines":[]})")), "FORBIDDEN");
  ann_.TakeEvents();
  const Frame fed = Service("tab.put", In(thread, R"(,"tab":"docs","version":0,"content":)" + docs));
  EXPECT_EQ(fed.Int("tab.version"), 1);
  EXPECT_EQ(fed.Json("tab.updatedBy"), "null");
  EXPECT_EQ(Events(ann_, "tab.updated").size(), 1u);
  EXPECT_EQ(Code(Service("tab.put", In(thread, R"(,"tab":"docs","version":0,"content":)" + docs))),
            "PANEL_VERSION_CONFLICT");
}

TEST_F(ProjectBehaviours, open_cards_show_in_the_panel_and_the_inbox_until_they_are_settled) {
  const std::string thread = Create("project");
  const Frame made = ann_.Ask(
      "card.create",
      In(thread, R"(,"clientId":"c1","type":"RESCHEDULE","payload":{"oldStart":"2030-01-01T10:00:00.000Z",)"
                 R"("oldEnd":"2030-01-01T11:00:00.000Z","newStart":"2030-01-02T10:00:00.000Z",)"
                 R"("newEnd":"2030-01-02T11:00:00.000Z","reason":"rain"})"));
  ASSERT_EQ(Code(made), "ok") << made.Json();
  const std::string card = made.Text("ok.messageId");
  const auto actions = [&] { return ann_.Ask("tab.get", In(thread, R"(,"tab":"actions")")); };
  EXPECT_EQ(actions().Text("ok.tab.content.cards.0.messageId"), card);
  EXPECT_EQ(actions().Text("ok.tab.content.cards.0.state"), "PENDING");
  EXPECT_EQ(bob_.Ask("thread.open", In(thread)).Text("ok.tabs.0.tab"), "actions");
  EXPECT_TRUE(Has(bob_, thread, "action"));
  EXPECT_TRUE(Has(bob_, thread, "offers"));
  EXPECT_EQ(Count(bob_, "action"), 1);
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.openCards"), 1);
  const Frame settled =
      bob_.Ask("card.act",
               In(thread, R"(,"clientId":"a1","intent":"decline","version":1,"messageId":)" + Quoted(card)));
  ASSERT_EQ(Code(settled), "ok") << settled.Json();
  EXPECT_EQ(actions().Size("ok.tab.content.cards"), 0u);
  EXPECT_FALSE(Has(bob_, thread, "action"));
  EXPECT_EQ(Count(bob_, "action"), 0);
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.openCards"), 0);
}

}  // namespace
}  // namespace parley::gateway_test
