// Every error sent to a client has a line in the log, and repeated nonsense has few.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/app/error_log.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/log_capture.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;

size_t CountOf(const std::string& text, const std::string& what) {
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

TEST(ErrorLog, warns_of_server_side_failures_even_without_a_client_waiting) {
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

constexpr size_t kLines = gateway::ErrorLog::kRefusalsPerSecond;

TEST(ErrorLog, limits_refusals_of_each_code_a_second_and_reports_how_many_it_left_out) {
  FakeClock clock;
  gateway::ErrorLog errors(clock);
  LogCapture log;
  const auto note_all = [&] {
    for (size_t code = 0; code < protocol::kErrorCodeCount; ++code)
      errors.Note(protocol::Error(static_cast<protocol::ErrorCode>(code), "no"), "ses_1");
  };
  for (size_t i = 0; i < kLines + 5; ++i) note_all();
  clock.Advance(1000);
  note_all();
  const std::string text = log.Take();
  for (size_t code = 0; code < protocol::kErrorCodeCount; ++code) {
    const std::string name(protocol::Describe(static_cast<protocol::ErrorCode>(code)).name);
    EXPECT_EQ(CountOf(text, "request refused session=ses_1 corrId="),
              (kLines + 1) * protocol::kErrorCodeCount);
    EXPECT_EQ(CountOf(text, " code=" + name + " message=no\n"), kLines + 1) << name;
    EXPECT_THAT(text, HasSubstr("info gateway refusals not logged code=" + name + " count=5\n"));
  }
}

TEST(ErrorLog, names_refused_and_allowed_origins_within_a_rate_limit) {
  FakeClock clock;
  gateway::ErrorLog errors(clock);
  LogCapture log;
  size_t listed = 0;
  const auto note = [&] {
    errors.NoteOrigin("https://evil.example", [&] {
      ++listed;
      return std::string("https://a.example https://b.example");
    });
  };
  for (size_t i = 0; i < kLines + 5; ++i) note();
  clock.Advance(1000);
  note();
  const std::string text = log.Take();
  EXPECT_EQ(CountOf(text,
                    "info gateway a page's origin is not allowed origin=https://evil.example "
                    "allowed=\"https://a.example https://b.example\"\n"),
            kLines + 1)
      << text;
  EXPECT_EQ(listed, kLines + 1) << "the list is not made for lines that are left out";
  EXPECT_THAT(text, HasSubstr("info gateway refused origins not logged count=5\n"));
}

}  // namespace
}  // namespace parley::gateway_test
