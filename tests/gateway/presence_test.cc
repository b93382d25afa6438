// presence.get: whose presence each user may see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fanout/shared_threads.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

class Presence : public testing::Test {
 protected:
  Presence() : ann_(world_->Join("ann")), bob_(world_->Join("bob")), zoe_(world_->Join("zoe")) {}

  // The ids of ann, bob, zoe and "nobody", an unknown user, who appear online.
  static std::string Shown(const Frame& frame, const std::string& at) {
    if (!frame.Has(at)) return frame.Json();
    std::string out;
    EXPECT_EQ(frame.Size(at), 4u) << "all that were asked for are answered";
    for (size_t i = 0; i < frame.Size(at); ++i) {
      const std::string item = at + "." + std::to_string(i);
      if (frame.Bool(item + ".online")) out += (out.empty() ? "" : " ") + frame.Text(item + ".userId");
    }
    return out;
  }
  std::string ShownTo(FakeClient& who) { return Shown(who.Ask("presence.get", kAll), "ok.presence"); }
  std::string ShownToKey(FakeServer::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer " + world_->service_key());
    const auto response = world_->Http("POST", "/v1/ops/presence.get", kAll, headers);
    return Shown(Frame(protocol::Encoding::kJson, response.body), "presence");
  }

  static constexpr char kAll[] = R"({"userIds":["ann","bob","zoe","nobody"]})";
  static constexpr char kOthers[] = R"({"kind":"project","buyerUserId":"ann","sellerUserId":"cid"})";
  World world_{DemoConfig()};
  FakeClient ann_, bob_, zoe_;
};

TEST_F(Presence, is_shown_to_users_who_share_a_thread_now) {
  EXPECT_EQ(ShownTo(ann_), "ann") << "a stranger is offline, as if they did not exist";
  const std::string thread = world_.NewThread(ann_, "ann", "bob");
  EXPECT_EQ(ShownTo(ann_), "ann bob");
  EXPECT_EQ(ShownTo(bob_), "ann bob");
  EXPECT_EQ(ShownTo(zoe_), "zoe");
  ann_.Ask("participant.add", Args({{"threadId", thread}, {"userId", "zoe"}}));
  EXPECT_EQ(ShownTo(bob_), "ann bob zoe");
  EXPECT_EQ(ShownTo(zoe_), "ann bob zoe");
  ann_.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "zoe"}}));
  EXPECT_EQ(ShownTo(bob_), "ann bob");
  EXPECT_EQ(ShownTo(zoe_), "zoe");
}

TEST_F(Presence, is_shown_for_an_archived_thread) {
  const std::string thread = world_.NewThread(ann_, "ann", "bob");
  ann_.Ask("inbox.set", Args({{"threadId", thread}, {"archived", true}}));
  EXPECT_EQ(ShownTo(ann_), "ann bob");
}

TEST_F(Presence, of_all_users_is_shown_to_staff_and_to_services_acting_for_no_user) {
  FakeClient staff = world_->Connect();
  staff.Hello(world_->Token("mod", "moderator"));
  EXPECT_EQ(ShownTo(staff), "ann bob zoe");
  EXPECT_EQ(ShownToKey(), "ann bob zoe");
  EXPECT_EQ(ShownToKey({{"Parley-User", "zoe"}}), "zoe");
}

TEST_F(Presence, of_members_beyond_the_heads_list_is_shown) {
  std::vector<std::string> others;
  for (size_t i = 0; i < protocol::kListedParticipants; ++i) others.push_back("m" + std::to_string(i));
  others.push_back("zoe");  // the last one by name
  world_.NewThread(ann_, "ann", "bob", others);
  EXPECT_EQ(ShownTo(ann_), "ann bob zoe");
  EXPECT_EQ(ShownTo(zoe_), "ann bob zoe");
}

TEST_F(Presence, reads_a_bounded_number_of_rows_however_many_threads_exist) {
  world_.NewThread(ann_, "ann", "bob");
  for (size_t i = 0; i < fanout::kSharedRowsMax; ++i) ann_.Send("thread.create", kOthers);
  world_->Settle();
  ann_.TakeAll();
  world_.table().TakeRowsRead();
  EXPECT_EQ(ShownTo(ann_), "ann") << "bob's thread is too far down";
  // The loop gives up early and a reader starts over.
  EXPECT_LE(world_.table().TakeRowsRead(), fanout::kSharedRowsMax + 600);
}

}  // namespace
}  // namespace parley::gateway_test
