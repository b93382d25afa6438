// Ops are counted and timed by op and code, over WebSocket and HTTP, with labels that clients cannot choose.
#include "gateway/app/op_meter.h"
#include "gateway/app/node.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "gateway/process_metrics.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using gateway::OpMeter;
using gateway::OpMeters;

const char kUnknownThread[] = "thrd_00000000000000000000000000";

// The number on the line that begins with `series`, or -1 if it is missing.
double ValueOf(const std::string& text, const std::string& series) {
  const std::string line = "\n" + series + " ";
  const size_t at = ("\n" + text).find(line);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + line.size() - 1));
}

size_t LinesOf(const std::string& text, const std::string& start) {
  size_t count = 0;
  for (size_t at = text.find("\n" + start); at != std::string::npos; at = text.find("\n" + start, at + 1))
    ++count;
  return count;
}

std::string Of(const std::string& way, const std::string& op) {
  return "{way=\"" + way + "\",op=\"" + op + "\"}";
}

TEST(OpMeterTest, counts_a_sessions_ops_and_their_errors) {
  World world(DemoConfig());
  FakeClient ann = world->Join("usr_ann");
  const std::string thread = world.NewThread(ann, "usr_ann", "usr_bob");
  world.Say(ann, thread, "hello");
  world.Say(ann, thread, "again");
  const std::string code = ann.Ask("thread.get", Args({{"threadId", kUnknownThread}})).error();
  ASSERT_FALSE(code.empty());
  const std::string text = world->node().RenderMetrics();
  EXPECT_EQ(ValueOf(text, "parley_op_seconds_count" + Of("socket", "session.hello")), 1);
  EXPECT_EQ(ValueOf(text, "parley_op_seconds_count" + Of("socket", "message.send")), 2);
  EXPECT_EQ(ValueOf(text, "parley_op_errors_total{way=\"socket\",op=\"thread.get\",code=\"" + code + "\"}"),
            1);
  EXPECT_EQ(ValueOf(text, "parley_errors_total{way=\"socket\",code=\"" + code + "\"}"), 1);
  EXPECT_EQ(ValueOf(text, "parley_errors_total{way=\"http\",code=\"" + code + "\"}"), 0);
  EXPECT_EQ(LinesOf(text, "parley_op_errors_total"), 1u);
}

TEST(OpMeterTest, counts_requests_without_an_id_and_a_refused_hello) {
  World world(DemoConfig());
  FakeClient ann = world->Join("usr_ann");
  ann.SendMap(R"({"op":"thread.get","args":{}})");
  world->Connect().Hello("no token");
  world->Settle();
  const std::string text = world->node().RenderMetrics();
  EXPECT_EQ(ValueOf(text, "parley_op_errors_total{way=\"socket\",op=\"thread.get\",code=\"BAD_REQUEST\"}"),
            1);
  EXPECT_EQ(
      ValueOf(text, "parley_op_errors_total{way=\"socket\",op=\"session.hello\",code=\"UNAUTHENTICATED\"}"),
      1);
}

TEST(OpMeterTest, counts_ops_over_http_separately) {
  World world(DemoConfig());
  const FakeServer::Headers headers = {{"Authorization", "Bearer " + world->Token("usr_ann")}};
  EXPECT_EQ(world->Http("POST", "/v1/ops/inbox.counts", "{}", headers).status, 200);
  EXPECT_EQ(world->Http("POST", "/v1/ops/inbox.counts", "{}").status, 401);
  const std::string text = world->node().RenderMetrics();
  EXPECT_EQ(ValueOf(text, "parley_op_seconds_count" + Of("http", "inbox.counts")), 2);
  EXPECT_EQ(
      ValueOf(text, "parley_op_errors_total{way=\"http\",op=\"inbox.counts\",code=\"UNAUTHENTICATED\"}"), 1);
  EXPECT_EQ(ValueOf(text, "parley_op_seconds_count" + Of("socket", "inbox.counts")), -1);
}

TEST(OpMeterTest, unknown_ops_share_one_label) {
  World world(DemoConfig());
  FakeClient ann = world->Join("usr_ann");
  for (int i = 0; i < 100; ++i) {
    const std::string made_up = "made.up" + std::to_string(i);
    EXPECT_EQ(ann.Ask(made_up).error(), "UNKNOWN_OP");
    world->Http("POST", "/v1/ops/" + made_up, "{}");
  }
  const std::string text = world->node().RenderMetrics();
  EXPECT_EQ(text.find("made.up"), std::string::npos);
  EXPECT_EQ(ValueOf(text, "parley_op_errors_total{way=\"socket\",op=\"unknown\",code=\"UNKNOWN_OP\"}"), 100);
  EXPECT_EQ(ValueOf(text, "parley_op_errors_total{way=\"http\",op=\"unknown\",code=\"UNKNOWN_OP\"}"), 100);
}

TEST(OpMeterTest, counts_of_io_threads_are_summed) {
  const auto a = std::make_unique<OpMeters>(), b = std::make_unique<OpMeters>();
  a->socket.Note(0, std::chrono::milliseconds(1), std::nullopt);
  b->socket.Note(0, std::chrono::milliseconds(2), protocol::ErrorCode::kForbidden);
  const std::string text = gateway::RenderOps({a.get(), b.get()});
  EXPECT_EQ(ValueOf(text, "parley_op_seconds_count" + Of("socket", "session.hello")), 2);
  EXPECT_EQ(ValueOf(text, "parley_op_seconds_sum" + Of("socket", "session.hello")), 0.003);
  EXPECT_EQ(ValueOf(text, "parley_errors_total{way=\"socket\",code=\"FORBIDDEN\"}"), 1);
}

TEST(OpMeterTest, buckets_include_their_bound) {
  const auto meters = std::make_unique<OpMeters>();
  for (const auto bound : OpMeter::kBounds) {
    meters->http.Note(1, bound, std::nullopt);
    meters->http.Note(1, bound + std::chrono::nanoseconds(1), std::nullopt);
  }
  const std::string text = gateway::RenderOps({meters.get()});
  const auto up_to = [&](const std::string& bound) {
    return ValueOf(text, R"(parley_op_seconds_bucket{way="http",op="session.ping",le=")" + bound + "\"}");
  };
  EXPECT_EQ(up_to("5e-05"), 1);
  EXPECT_EQ(up_to("0.0001"), 3);
  EXPECT_EQ(up_to("5"), 27);
  EXPECT_EQ(up_to("+Inf"), 28);
}

TEST(ProcessMetricsTest, report_the_kernels_figures) {
  protocol::Metrics metrics;
  gateway::AddProcessMetrics(metrics);
  const std::string before = metrics.Render();
  EXPECT_GT(ValueOf(before, "process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(ValueOf(before, "process_virtual_memory_bytes"),
            ValueOf(before, "process_resident_memory_bytes"));
  EXPECT_GE(ValueOf(before, "process_threads"), 1);
  EXPECT_GT(ValueOf(before, "process_max_fds"), ValueOf(before, "process_open_fds"));
  const auto now = static_cast<double>(protocol::SystemClock().Now().ms) / 1000;
  EXPECT_LE(ValueOf(before, "process_start_time_seconds"), now + 1);
  EXPECT_GT(ValueOf(before, "process_start_time_seconds"), now - 24 * 3600);
  EXPECT_NE(before.find("parley_build_info{"), std::string::npos);
}

TEST(ProcessMetricsTest, count_open_descriptors) {
  protocol::Metrics metrics;
  gateway::AddProcessMetrics(metrics);
  const double before = ValueOf(metrics.Render(), "process_open_fds");
  std::vector<std::unique_ptr<FILE, int (*)(FILE*)>> files;
  for (int i = 0; i < 10; ++i) files.emplace_back(std::fopen("/dev/null", "r"), &std::fclose);
  EXPECT_EQ(ValueOf(metrics.Render(), "process_open_fds"), before + 10);
}

}  // namespace
}  // namespace parley::gateway_test
