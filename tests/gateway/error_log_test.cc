// Every error that is sent to a client has its line in the log; nonsense sent in a loop has few.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/log_capture.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;

size_t Count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(ErrorLog, finds_a_refused_request_by_its_corr_id_over_websocket_and_http) {
  World world(DemoConfig());
  LogCapture log;
  FakeClient ana = world->Join("ana");
  const Frame refused = ana.Ask("thread.get", Args({{"threadId", "thrd_01k9a52dr0d179n3hr96t0j00g"}}));
  const Frame http(protocol::Encoding::kJson, world->Http("POST", "/v1/ops/inbox.list", "{}").body);
  const std::string text = log.Take();
  EXPECT_THAT(text, HasSubstr("info gateway request refused session=ses_"));
  EXPECT_THAT(text, HasSubstr("corrId=" + refused.Text("error.corrId") + " code=THREAD_NOT_MEMBER"));
  EXPECT_THAT(text, HasSubstr("via=http corrId=" + http.Text("error.corrId") + " code=UNAUTHENTICATED"));
}

TEST(ErrorLog, warns_of_what_fails_for_us_whether_or_not_anybody_asked_for_an_answer) {
  World world(DemoConfig());
  FakeClient ana = world->Join("ana");
  const std::string thread = world.NewThread(ana, "ana", "bob");
  world.table().InjectFault(storage::MemoryFault::kCommitFails);
  LogCapture log;
  ana.SendMap(R"({"op":"message.send","args":)" +
              Args({{"threadId", thread}, {"clientId", "c"}, {"type", "text"}, {"body", "x"}}) + "}");
  world->Settle();
  const std::string text = log.Take();
  EXPECT_THAT(text, HasSubstr("warning gateway request refused session=ses_"));
  EXPECT_THAT(text, HasSubstr("code=UNAVAILABLE"));
}

TEST(ErrorLog, tells_so_many_refusals_a_second_and_then_how_many_it_did_not) {
  FakeClock clock;
  gateway::ErrorLog errors(clock);
  LogCapture log;
  const protocol::Error refusal(protocol::ErrorCode::kForbidden, "no"),
      fault(protocol::ErrorCode::kInternal, "a bug");
  for (int i = 0; i < gateway::ErrorLog::kRefusalsPerSecond + 5; ++i) errors.Note(refusal, "ses_1");
  errors.Note(fault, "ses_1");
  clock.Advance(1000);
  errors.Note(refusal, "ses_1");
  const std::string text = log.Take();
  EXPECT_EQ(Count(text, "code=FORBIDDEN"), gateway::ErrorLog::kRefusalsPerSecond + size_t{1}) << text;
  EXPECT_EQ(Count(text, "code=INTERNAL"), 1u) << "faults are never left out";
  EXPECT_THAT(text, HasSubstr("info gateway refusals not told count=5\n"));
}

}  // namespace
}  // namespace parley::gateway_test
