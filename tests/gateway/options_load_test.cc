// Sources of options: a file, the environment, flags; their precedence, and the report of mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "gateway/app/options.h"
#include "tests/storage/temp_dir.h"

namespace parley::gateway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

// Sets an environment variable while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* const name_;
};

class OptionsLoad : public testing::Test {
 protected:
  std::string File(const std::string& text) {
    const std::string path = dir_.path() + "/parley.toml";
    std::ofstream(path) << text;
    return path;
  }
  // LoadConfig's result; `told_` is its output.
  std::optional<int> Load(std::vector<std::string> words) {
    words.insert(words.begin(), "parleyd");
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStderr();
    const auto exit_code = LoadConfig(static_cast<int>(words.size()), argv.data(), &config_);
    told_ = testing::internal::GetCapturedStderr();
    return exit_code;
  }

  storage::TempDir dir_;
  Config config_;
  std::string told_;
};

TEST_F(OptionsLoad, variables_that_orchestrators_set_for_a_service_called_parley_only_warn) {
  const Variable host("PARLEY_SERVICE_HOST", "10.0.0.7"), named("PARLEY_SERVICE_PORT_HTTP", "80"),
      port("PARLEY_PORT", "tcp://10.0.0.7:80"), tcp("PARLEY_PORT_80_TCP_ADDR", "10.0.0.7");
  EXPECT_EQ(Load({}), std::nullopt) << told_;
  for (const char* name :
       {"PARLEY_SERVICE_HOST", "PARLEY_SERVICE_PORT_HTTP", "PARLEY_PORT ", "PARLEY_PORT_80_TCP_ADDR"})
    EXPECT_THAT(told_, HasSubstr(name));
}

TEST_F(OptionsLoad, other_unknown_variables_refuse_to_start) {
  for (const char* name : {"PARLEY_PORTS", "PARLEY_SERVICE", "PARLEY_SERVICES_HOST", "PARLEY_SPARKLE"}) {
    const Variable variable(name, "1");
    EXPECT_EQ(Load({}), 2) << name;
    EXPECT_THAT(told_, HasSubstr("unknown option")) << name;
  }
}

TEST_F(OptionsLoad, flags_override_the_environment_which_overrides_the_file) {
  const std::string file =
      File("max_body_bytes = 100\nheartbeat_ms = 1000\nmax_in_flight = 10\ndemo = true\ndata = \"here\"\n");
  const Variable body("PARLEY_MAX_BODY_BYTES", "200"), beat("PARLEY_HEARTBEAT_MS", "2000");
  EXPECT_EQ(Load({"--config", file, "--max-body-bytes", "300"}), std::nullopt) << told_;
  EXPECT_EQ(config_.max_body_bytes, 300);
  EXPECT_EQ(config_.heartbeat_ms, 2000);
  EXPECT_EQ(config_.max_in_flight, 10);
  EXPECT_TRUE(config_.demo);
  EXPECT_EQ(config_.data, "here");
  EXPECT_EQ(config_.edit_window_ms, Config().edit_window_ms);
  EXPECT_EQ(told_, "");
}

TEST_F(OptionsLoad, an_unknown_key_in_any_source_refuses_to_start) {
  EXPECT_EQ(Load({"--config", File("max_boddy_bytes = 1\n")}), 2);
  EXPECT_THAT(told_, HasSubstr("max_boddy_bytes"));
  EXPECT_EQ(Load({"--max-boddy-bytes", "1"}), 2);
  EXPECT_THAT(told_, HasSubstr("command line: "));
  EXPECT_THAT(told_, HasSubstr("--max-boddy-bytes"));
  const Variable variable("PARLEY_MAX_BODDY_BYTES", "1");
  EXPECT_EQ(Load({}), 2);
  EXPECT_THAT(told_, HasSubstr("environment: "));
  EXPECT_THAT(told_, HasSubstr("max_boddy_bytes"));
}

TEST_F(OptionsLoad, all_mistakes_are_reported_at_once_with_their_places) {
  const std::string file = File("no_such = 1\nheartbeat_ms = \"soon\"\nfolders = [\"starred\"]\n");
  const Variable variable("PARLEY_MAX_IN_FLIGHT", "0");
  EXPECT_EQ(Load({"--config", file, "--log-level", "loud", "--demo", "--listen", "0.0.0.0:1"}), 2);
  for (const std::string& what :
       {file + ": no_such", file + ": heartbeat_ms: ", file + ": folders: must be text",
        std::string("environment: max_in_flight: "), std::string("log_level: "), std::string("not started")})
    EXPECT_THAT(told_, HasSubstr(what));
  EXPECT_THAT(told_, HasSubstr("loopback"));
}

TEST_F(OptionsLoad, a_file_contains_texts_integers_and_flags) {
  std::vector<std::string> errors;
  const Source source =
      ReadConfigFile(File("# why\ndata = \"a b\"\nmax_in_flight = 1_000\ndemo = false\n"), &errors);
  EXPECT_THAT(errors, IsEmpty());
  EXPECT_THAT(source.values,
              ElementsAre(Pair("data", "a b"), Pair("demo", "false"), Pair("max_in_flight", "1000")));
}

TEST_F(OptionsLoad, an_unreadable_file_is_reported_with_the_reason) {
  const auto errors_of = [](const std::string& path) {
    std::vector<std::string> errors;
    EXPECT_THAT(ReadConfigFile(path, &errors).values, IsEmpty());
    return errors.size() == 1 ? errors[0] : std::to_string(errors.size()) + " errors";
  };
  EXPECT_THAT(errors_of(dir_.path() + "/none.toml"), HasSubstr("none.toml: cannot be read"));
  EXPECT_THAT(errors_of(dir_.path()), HasSubstr(": cannot be read"));
  EXPECT_THAT(errors_of(File("demo = true\nheartbeat_ms = = 1\n")), HasSubstr("parley.toml: line 2: "));
  EXPECT_THAT(errors_of(File("[limits]\nmax_in_flight = 1\n")), HasSubstr("limits: must be text"));
}

}  // namespace
}  // namespace parley::gateway
