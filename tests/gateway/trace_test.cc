// A traced message leaves a log line for each of its steps, in order, and others leave none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/log_capture.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

class TraceTest : public testing::Test {
 protected:
  TraceTest() : thread_(world_.NewThread(ann_, "ann", "bob")) { world_->Settle(); }

  void Trace(const std::string& what) { ASSERT_TRUE(world_->node().tracer().Add(what, 60).ok()); }
  static std::string Send(FakeClient& client, const std::string& thread, const std::string& client_id) {
    const Frame sent = client.Ask(
        "message.send",
        Args({{"threadId", thread}, {"clientId", client_id}, {"type", "text"}, {"body", "a secret"}}));
    return sent.ok() ? "OK" : sent.Text("error.corrId");
  }
  // The names of the traced steps, but "projected", which may come at any time after "committed".
  static std::vector<std::string> StepsIn(const std::string& log) {
    std::vector<std::string> steps;
    const std::regex line("info trace (\\w+) ");
    for (std::sregex_iterator at(log.begin(), log.end(), line), end; at != end; ++at) {
      if ((*at)[1] != "projected") steps.push_back((*at)[1]);
    }
    return steps;
  }
  static std::set<std::string> CorrIdsIn(const std::string& log) {
    std::set<std::string> ids;
    const std::regex line("info trace \\w+ corrId=(\\S+) ");
    for (std::sregex_iterator at(log.begin(), log.end(), line), end; at != end; ++at) ids.insert((*at)[1]);
    return ids;
  }

  World world_{DemoConfig()};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob");
  std::string thread_;
};

TEST_F(TraceTest, a_traced_message_leaves_a_line_for_each_step_and_never_its_body) {
  Trace("thread=" + thread_);
  LogCapture log;
  EXPECT_EQ(Send(ann_, thread_, "a"), "OK");
  world_->Settle();
  const std::string text = log.Take();
  EXPECT_THAT(StepsIn(text), ElementsAre("received", "decided", "committed", "delivered", "answered"));
  EXPECT_THAT(text, HasSubstr("trace projected"));
  EXPECT_THAT(text, HasSubstr("sessions=2"));
  EXPECT_EQ(CorrIdsIn(text).size(), 1u);
  EXPECT_THAT(text, Not(HasSubstr("secret")));
}

TEST_F(TraceTest, an_untraced_message_leaves_no_line) {
  Trace("user=carl");
  LogCapture log;
  EXPECT_EQ(Send(ann_, thread_, "a"), "OK");
  world_->Settle();
  EXPECT_THAT(log.Take(), Not(HasSubstr("info trace")));
}

TEST_F(TraceTest, the_error_of_a_traced_request_has_the_corr_id_of_its_lines) {
  Trace("user=ann");
  LogCapture log;
  const std::string corr_id = Send(ann_, "thrd_01k9a52dr0d179n3hr96t0j00g", "a");
  EXPECT_EQ(Send(bob_, thread_, "b"), "OK");
  const std::string text = log.Take();
  EXPECT_THAT(StepsIn(text), ElementsAre("received", "decided", "answered"));
  EXPECT_THAT(CorrIdsIn(text), UnorderedElementsAre(corr_id));
}

}  // namespace
}  // namespace parley::gateway_test
