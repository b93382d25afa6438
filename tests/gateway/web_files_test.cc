// The files of the web client and the console, as the server serves them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/response_text.h"
#include "tests/storage/temp_dir.h"

namespace parley::gateway_test {
namespace {

using gateway::HttpResponse;
using testing::HasSubstr;

class WebFiles : public testing::Test {
 protected:
  WebFiles() {
    const std::filesystem::path root = dir_.path();
    std::filesystem::create_directories(root / "web/assets");
    std::ofstream(root / "secret.txt") << "not to be served";
    std::ofstream(root / "web/index.html") << "<!doctype html>";
    std::ofstream(root / "web/assets/app.1234.js") << "export {}";
    std::ofstream(root / "web/logo.svg") << "<svg/>";
    std::filesystem::create_directories(root / "web/console/assets");
    std::ofstream(root / "web/console/index.html") << "<!doctype html><title>Console";
    std::ofstream(root / "web/console/assets/console.5678.js") << "export {}";
    world_ = std::make_unique<World>(DemoConfig(), (root / "web").string());
  }
  HttpResponse Get(const std::string& target) { return (*world_)->Http("GET", target); }

  storage::TempDir dir_;
  std::unique_ptr<World> world_;
};

TEST_F(WebFiles, the_web_client_is_served_with_content_types_and_policies) {
  const HttpResponse index = Get("/");
  EXPECT_EQ(index.status, 200);
  EXPECT_EQ(index.body, "<!doctype html>");
  EXPECT_EQ(HeaderOf(index, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(HeaderOf(index, "Cache-Control"), "no-cache");
  EXPECT_EQ(HeaderOf(index, "X-Content-Type-Options"), "nosniff");
  EXPECT_THAT(HeaderOf(index, "Content-Security-Policy"), HasSubstr("default-src 'self'"));
  EXPECT_THAT(HeaderOf(index, "Content-Security-Policy"), HasSubstr("frame-ancestors 'none'"));
  EXPECT_THAT(HeaderOf(index, "Content-Security-Policy"), testing::Not(HasSubstr("unsafe-eval")));
  EXPECT_EQ(HeaderOf(index, "Cross-Origin-Opener-Policy"), "same-origin");
  const HttpResponse script = Get("/assets/app.1234.js?v=1");
  EXPECT_EQ(HeaderOf(script, "Content-Type"), "text/javascript; charset=utf-8");
  EXPECT_THAT(HeaderOf(script, "Cache-Control"), HasSubstr("immutable"));
  EXPECT_EQ(HeaderOf(Get("/logo.svg"), "Content-Type"), "image/svg+xml");
}

TEST_F(WebFiles, pages_connect_only_to_their_own_server_and_cannot_submit_forms) {
  const auto policy = [&](const std::string& host) {
    return HeaderOf((*world_)->Http("GET", "/", "", {{"Host", host}}), "Content-Security-Policy");
  };
  EXPECT_THAT(policy("127.0.0.1:8080"),
              HasSubstr("connect-src 'self' ws://127.0.0.1:8080 wss://127.0.0.1:8080;"));
  EXPECT_THAT(policy("[::1]:80"), HasSubstr("connect-src 'self' ws://[::1]:80 wss://[::1]:80;"));
  EXPECT_THAT(policy("localhost"), HasSubstr("form-action 'none'"));
  EXPECT_THAT(policy("localhost"), HasSubstr("object-src 'none'"));
  EXPECT_THAT(policy("localhost"), testing::Not(HasSubstr(" ws:;")));
}

TEST(StaticFilesPolicy, an_unusual_host_adds_nothing_to_it) {
  storage::TempDir dir;
  std::ofstream(std::filesystem::path(dir.path()) / "index.html") << "x";
  gateway::StaticFiles files;
  ASSERT_EQ(files.Load(dir.path()), "");
  for (const char* host : {"", "a;script-src *", "a,b", "a b", "*", "a'b"}) {
    HttpResponse page;
    ASSERT_TRUE(files.Find("/", host, &page));
    EXPECT_THAT(HeaderOf(page, "Content-Security-Policy"), HasSubstr("connect-src 'self';")) << host;
  }
}

TEST_F(WebFiles, the_console_is_served_beside_the_web_client_with_the_same_policy) {
  for (const char* target : {"/console", "/console/", "/console?view=queue", "/console/index.html"}) {
    const HttpResponse page = Get(target);
    EXPECT_EQ(page.body, "<!doctype html><title>Console") << target;
    EXPECT_EQ(HeaderOf(page, "Cache-Control"), "no-cache") << target;
    EXPECT_EQ(HeaderOf(page, "Content-Security-Policy"), HeaderOf(Get("/"), "Content-Security-Policy"))
        << target;
  }
  EXPECT_THAT(HeaderOf(Get("/console/assets/console.5678.js"), "Cache-Control"), HasSubstr("immutable"));
}

TEST_F(WebFiles, files_outside_the_directory_are_not_served) {
  for (const char* target :
       {"/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
        "//secret.txt", "/./index.html", "/assets", "/assets/", "/\\..\\secret.txt",
        "/console/../../secret.txt", "/console//", "/index.html/", "/index.html%00.js"}) {
    EXPECT_EQ(Get(target).status, 404) << target;
  }
}

TEST_F(WebFiles, files_added_later_are_not_served) {
  std::ofstream(std::filesystem::path(dir_.path()) / "web/later.html") << "later";
  EXPECT_EQ(Get("/later.html").status, 404);
}

TEST(WebFilesLoad, a_directory_without_a_web_client_is_reported) {
  storage::TempDir dir;
  gateway::StaticFiles files;
  EXPECT_THAT(files.Load(dir.path()), HasSubstr("has no index.html"));
  EXPECT_THAT(files.Load("/nonexistent"), HasSubstr("cannot be read"));
  EXPECT_EQ(files.Load(""), "");
}

}  // namespace
}  // namespace parley::gateway_test
