// The documented list contains every metric of a fully wired server with type and meaning, since dashboards
// depend on it.
#include <gtest/gtest.h>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/repository.h"

namespace parley::gateway_test {
namespace {

TEST(Metrics, match_the_documented_list) {
  World world(DemoConfig());
  std::string actual;
  for (const std::string& line : world->node().DescribeMetrics()) actual += line + "\n";
  EXPECT_EQ(tests::RepositoryText("docs/metrics.txt"), actual)
      << "docs/metrics.txt lists every metric: name, type, meaning";
}

TEST(Metrics, are_served_as_prometheus_text_without_ids_in_labels) {
  World world(DemoConfig());
  FakeClient ann = world->Join("usr_ann");
  const std::string thread = world.NewThread(ann, "usr_ann", "usr_bob");
  world.Say(ann, thread, "hello");
  const std::string text = world->Http("GET", "/metrics").body;
  EXPECT_NE(text.find("# TYPE parley_commits_total counter"), std::string::npos);
  EXPECT_NE(text.find("parley_projection_lag{projection=\"inbox\"} 0"), std::string::npos) << text;
  EXPECT_EQ(text.find("usr_ann"), std::string::npos);
  EXPECT_EQ(text.find(thread), std::string::npos);
}

}  // namespace
}  // namespace parley::gateway_test
