// Comments on pins and shots: the server sets their author.
#include "tests/threads/scene.h"

namespace parley::threads {
namespace {

class Comments : public ThreadScene {
 protected:
  Comments() { scene.Given("service thread.promote legId=G1 eventId=e1"); }

  // Puts the comments of one pin (or shot); returns the stored ones.
  std::string Put(const std::string& who, const std::string& comments, const std::string& id = "p") {
    scene.Do(who + " tab.put tab=moodboard version=" + std::to_string(version_) +
             R"( content={"pins":[{"id":")" + id + R"(","attribution":"A","nsfwBand":0,"comments":)" +
             comments + "}]}");
    EXPECT_TRUE(scene.accepted);
    if (scene.decision.changes_something()) ++version_;
    std::string out;
    const protocol::Document reply = DecodeOwn(scene.decision.reply);
    const protocol::Value& pin = reply.root.Find("tab")->Find("content")->Find("pins")->as_array()->front();
    for (const protocol::Value& comment : *pin.Find("comments")->as_array()) {
      out += std::string(*comment.Find("by")->as_text()) + ":" +
             std::string(*comment.Find("text")->as_text()) + "@" +
             std::string(comment.Find("at")->as_text()->substr(11, 5)) + " ";
    }
    return out;
  }
  int version_ = 0;
};

constexpr const char* kBuyers = R"({"by":"buyer","text":"nice","at":"2025-11-05T14:00:00.000Z"})";

TEST_F(Comments, a_new_one_belongs_to_its_writer_whatever_the_request_contains) {
  EXPECT_EQ(Put("buyer", R"([{"by":"seller","text":"nice"}])"), "buyer:nice@14:00 ");
  EXPECT_EQ(Put("seller", "[" + std::string(kBuyers) + R"(,{"by":"buyer","text":"agreed"}])"),
            "buyer:nice@14:00 seller:agreed@14:00 ");
}

TEST_F(Comments, need_no_author_and_ignore_a_given_time) {
  EXPECT_EQ(Put("buyer", R"([{"text":"a"},{"text":"b","at":"2001-01-01T00:00:00.000Z"}])"),
            "buyer:a@14:00 buyer:b@14:00 ");
}

TEST_F(Comments, of_others_cannot_be_altered) {
  Put("buyer", R"([{"text":"nice"}])");
  scene.Do("+5m");
  EXPECT_EQ(Put("seller", R"([{"by":"buyer","text":"awful","at":"2025-11-05T14:00:00.000Z"}])"),
            "seller:awful@14:05 ");
}

TEST_F(Comments, keep_author_and_time_when_another_member_moves_the_pin) {
  Put("buyer", R"([{"text":"nice"}])");
  scene.Do("+5m");
  EXPECT_EQ(Put("seller", "[" + std::string(kBuyers) + "]"), "buyer:nice@14:00 ");
  EXPECT_EQ(Put("seller", R"([{"by":"buyer","text":"nice"}])"), "buyer:nice@14:00 ") << "its time left out";
}

TEST_F(Comments, cannot_be_duplicated_or_added_elsewhere_in_another_name) {
  Put("buyer", R"([{"text":"nice"}])");
  const std::string one = kBuyers;
  EXPECT_EQ(Put("seller", "[" + one + "," + one + "]"), "buyer:nice@14:00 seller:nice@14:00 ");
  EXPECT_EQ(Put("seller", "[" + one + "]", "q"), "seller:nice@14:00 ") << "with another pin";
}

TEST_F(Comments, on_shots_behave_the_same) {
  scene.Given(
      R"(buyer tab.put tab=shotlist version=0 content={"shots":[{"id":"s","name":"n","status":"todo",)"
      R"("comments":[{"by":"seller","text":"wide"}]}]})");
  EXPECT_EQ(scene.Reply("tab.content.shots.0.comments.0.by"), "buyer");
}

}  // namespace
}  // namespace parley::threads
