// Which requests are traced, for how long, and with which lines.
#include "threads/engine/tracer.h"

#include <gmock/gmock.h>

#include <regex>

#include "tests/threads/fakes.h"

namespace parley::threads {
namespace {

using testing::HasSubstr;

constexpr char kTracedThread[] = "thrd_01k9a52dr0d179n3hr96t0j00g";

// The log lines of `act`, without their times.
std::string LinesOf(const std::function<void()>& act) {
  testing::internal::CaptureStderr();
  protocol::StartLogging(protocol::LogLevel::kInfo);
  act();
  protocol::StartLogging(protocol::LogLevel::kOff);
  const std::string lines = testing::internal::GetCapturedStderr();
  return std::regex_replace(std::regex_replace(lines, std::regex("\\S+Z info "), ""),
                            std::regex("ms=[0-9.]+"), "ms=N");
}

class TracerTest : public testing::Test {
 protected:
  TracePtr Begin(const Tracer::Request& request) {
    TracePtr trace;
    LinesOf([&] { trace = tracer_.Begin(request, [] { return "c-1"; }); });
    return trace;
  }
  static Tracer::Request OfAnn() {
    return {"message.send", kTracedThread, "ann", "ses_1", 12, std::chrono::steady_clock::now()};
  }

  FakeClock clock_;
  Tracer tracer_{clock_};
};

TEST_F(TracerTest, follows_requests_of_a_traced_thread_user_or_session_only) {
  EXPECT_EQ(Begin(OfAnn()), nullptr) << "nothing is traced";
  for (const std::string& what :
       {std::string("thread=") + kTracedThread, std::string("user=ann"), std::string("session=ses_1")}) {
    const auto rule = tracer_.Add(what, 60);
    ASSERT_TRUE(rule.ok()) << what;
    EXPECT_NE(Begin(OfAnn()), nullptr) << what;
    EXPECT_EQ(Begin({"inbox.list", "", "anna", "ses_12", 1, {}}), nullptr) << what;
    EXPECT_EQ(Begin({"session.hello", "", "", "", 1, {}}), nullptr) << what;
    EXPECT_TRUE(tracer_.Remove(rule->id));
    EXPECT_EQ(Begin(OfAnn()), nullptr) << what;
  }
  EXPECT_FALSE(tracer_.on());
}

TEST_F(TracerTest, rejects_rules_without_a_valid_id) {
  for (const char* what : {"", "ann", "user=", "user=a b", "thread=thrd_1", "session=1", "tenant=acme"})
    EXPECT_FALSE(tracer_.Add(what, 60).ok()) << what;
  EXPECT_FALSE(tracer_.on());
}

TEST_F(TracerTest, rejects_a_time_that_is_not_positive_or_longer_than_a_day) {
  for (const int64_t seconds : {int64_t{-1}, int64_t{0}, Tracer::kSecondsMax + 1})
    EXPECT_FALSE(tracer_.Add("user=ann", seconds).ok()) << seconds;
  EXPECT_FALSE(tracer_.on());
  EXPECT_TRUE(tracer_.Add("user=ann", Tracer::kSecondsMax).ok());
}

TEST_F(TracerTest, ends_a_rule_after_its_time_and_keeps_one_without) {
  ASSERT_TRUE(tracer_.Add("user=ann", 60).ok());
  ASSERT_TRUE(tracer_.Add("user=bob", std::nullopt).ok());
  clock_.Advance(59'001);
  ASSERT_EQ(tracer_.List().size(), 2u);
  EXPECT_EQ(tracer_.List()[0].seconds, 1);
  clock_.Advance(999);
  EXPECT_EQ(Begin(OfAnn()), nullptr);
  ASSERT_EQ(tracer_.List().size(), 1u);
  EXPECT_EQ(tracer_.List()[0].what, "user=bob");
}

TEST_F(TracerTest, bounds_the_number_of_rules_and_renews_one_of_the_same_text) {
  for (size_t i = 0; i < Tracer::kRulesMax; ++i)
    ASSERT_TRUE(tracer_.Add("user=u" + std::to_string(i), 60).ok());
  EXPECT_FALSE(tracer_.Add("user=more", 60).ok());
  EXPECT_TRUE(tracer_.Add("user=u1", 90).ok());
  clock_.Advance(60'000);
  ASSERT_EQ(tracer_.List().size(), 1u);
  EXPECT_TRUE(tracer_.Add("user=more", 60).ok());
}

TEST_F(TracerTest, logs_one_line_for_each_step) {
  ASSERT_TRUE(tracer_.Add("user=ann", 60).ok());
  const auto thread = *ThreadId::FromText(kTracedThread);
  const std::string lines = LinesOf([&] {
    const TracePtr trace = tracer_.Begin(OfAnn(), [] { return "c-1"; });
    LogStep(*trace, "decided", {{"code", "OK"}});
    tracer_.OnCommitted(trace, thread, 7);
    tracer_.OnProjected(6);
    tracer_.OnProjected(8);
    tracer_.OnProjected(9);
  });
  EXPECT_EQ(lines,
            std::string("trace received corrId=c-1 ms=N op=message.send bytes=12 session=ses_1 user=ann "
                        "thread=") +
                kTracedThread +
                "\n"
                "trace decided corrId=c-1 ms=N code=OK\n"
                "trace committed corrId=c-1 ms=N position=7 thread=" +
                kTracedThread +
                "\n"
                "trace projected corrId=c-1 ms=N position=7\n");
}

TEST_F(TracerTest, logs_the_projection_even_if_it_was_faster_than_the_report_of_the_commit) {
  tracer_.OnProjected(9);
  const std::string lines = LinesOf([&] {
    tracer_.OnCommitted(std::make_shared<const Trace>(Trace{"c-1"}), *ThreadId::FromText(kTracedThread), 9);
  });
  EXPECT_THAT(lines, HasSubstr("projected corrId=c-1"));
}

TEST_F(TracerTest, follows_a_change_that_no_request_made_by_its_thread) {
  const auto thread = *ThreadId::FromText(kTracedThread);
  EXPECT_EQ(tracer_.Of(thread), nullptr);
  ASSERT_TRUE(tracer_.Add(std::string("thread=") + kTracedThread, 60).ok());
  ASSERT_NE(tracer_.Of(thread), nullptr);
  EXPECT_EQ(tracer_.Of(thread)->corr_id, "-");
}

}  // namespace
}  // namespace parley::threads
