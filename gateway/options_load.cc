// Reads option values: flags by CLI11, the file by toml++. Only this file includes them.
#include <toml++/toml.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gateway/app/options.h"
#include "gateway/documents.h"
#include "gateway/http/openapi.h"
#include "gateway/ops/asyncapi.h"
#include "protocol/base/ascii.h"
#include "threads/cards/manual.h"

namespace parley::gateway {
namespace {

constexpr int kExitUsage = 2;

// Orchestrators set variables with such names for a service called parley in every container; they are not
// options.
bool IsMadeUp(std::string_view variable) {
  return variable.starts_with("PARLEY_SERVICE_") || variable.starts_with("PARLEY_PORT=") ||
         variable.starts_with("PARLEY_PORT_");
}

// Converts PARLEY_MAX_FRAME_BYTES to max_frame_bytes, whether or not the option exists.
Source ReadEnvironment() {
  constexpr std::string_view kPrefix = "PARLEY_";
  Source source{"environment", {}};
  for (char** at = environ; *at; ++at) {
    const std::string_view variable(*at);
    const size_t equals = variable.find('=');
    if (!variable.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    if (IsMadeUp(variable)) {
      std::fprintf(stderr, "parleyd: environment: %s is not an option and is ignored\n",
                   std::string(variable.substr(0, equals)).c_str());
      continue;
    }
    std::string key(variable.substr(kPrefix.size(), equals - kPrefix.size()));
    for (char& c : key) c = protocol::LowerOf(c);
    source.values[key] = variable.substr(equals + 1);
  }
  return source;
}

struct Flags {
  Source source{"command line", {}};
  std::string config_file, docs_folder;
  bool help = false, manual = false, asyncapi = false, cards = false, retention = false, telemetry = false,
       openapi = false, version = false;
  bool prints() const {
    return help || manual || asyncapi || cards || retention || telemetry || openapi || version;
  }
};

Flags ReadFlags(int argc, char** argv, std::vector<std::string>* errors) {
  Flags flags;
  CLI::App app;
  app.set_help_flag();
  std::map<std::string, std::string> text;
  std::map<std::string, bool> on;
  for (const Option& option : Options()) {
    if (std::holds_alternative<bool Config::*>(option.member)) {
      app.add_flag(FlagOf(option), on[option.key]);
    } else {
      CLI::Option* added = app.add_option(FlagOf(option), text[option.key]);
      if (option.key == std::string_view("trace")) added->join(',');  // it may be repeated
    }
  }
  app.add_option("--config", flags.config_file);
  app.add_option("--docs", flags.docs_folder);
  app.add_flag("--help,-h", flags.help);
  app.add_flag("--manual", flags.manual);
  app.add_flag("--asyncapi", flags.asyncapi);
  app.add_flag("--cards", flags.cards);
  app.add_flag("--retention", flags.retention);
  app.add_flag("--telemetry", flags.telemetry);
  app.add_flag("--openapi", flags.openapi);
  app.add_flag("--version", flags.version);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    errors->push_back(std::string("command line: ") + error.what());
  }
  for (const Option& option : Options()) {
    if (app.count(FlagOf(option)) == 0) continue;
    const bool is_flag = std::holds_alternative<bool Config::*>(option.member);
    flags.source.values[option.key] = is_flag ? (on[option.key] ? "true" : "false") : text[option.key];
  }
  return flags;
}

}  // namespace

Source ReadConfigFile(const std::string& path, std::vector<std::string>* errors) {
  Source source{path, {}};
  std::ifstream in(path);
  if (!in || std::filesystem::is_directory(path)) {  // a directory opens and reads as empty
    errors->push_back(path + ": cannot be read");
    return source;
  }
  std::ostringstream text;
  text << in.rdbuf();
  try {
    const toml::table table = toml::parse(text.str());
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (const auto* value = node.as_string()) {
        source.values[name] = value->get();
      } else if (const auto* number = node.as_integer()) {
        source.values[name] = std::to_string(number->get());
      } else if (const auto* flag = node.as_boolean()) {
        source.values[name] = flag->get() ? "true" : "false";
      } else {
        errors->push_back(path + ": " + name + ": must be text, a whole number, or true or false");
      }
    }
  } catch (const toml::parse_error& error) {
    errors->push_back(path + ": line " + std::to_string(error.source().begin.line) + ": " +
                      std::string(error.description()));
  }
  return source;
}

std::optional<int> LoadConfig(int argc, char** argv, Config* config) {
  std::vector<std::string> errors;
  const Flags flags = ReadFlags(argc, argv, &errors);
  if (errors.empty() && flags.prints()) {
    const std::string text = flags.help        ? HelpText()
                             : flags.manual    ? ManualText()
                             : flags.asyncapi  ? AsyncApiDocument()
                             : flags.cards     ? threads::CardsManual()
                             : flags.retention ? GeneratedDocument("retention.md")
                             : flags.telemetry ? GeneratedDocument("telemetry.md")
                             : flags.openapi   ? OpenApiDocument()
                                               : std::string("parleyd " PARLEY_VERSION "\n");
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  if (errors.empty() && !flags.docs_folder.empty()) {
    const std::string error = WriteDocuments(flags.docs_folder);
    if (error.empty()) return 0;
    errors.push_back(error);
  }
  std::vector<Source> sources;
  if (!flags.config_file.empty()) sources.push_back(ReadConfigFile(flags.config_file, &errors));
  sources.push_back(ReadEnvironment());
  sources.push_back(flags.source);
  for (std::string& error : Fill(sources, config)) errors.push_back(std::move(error));
  for (std::string& error : Check(*config)) errors.push_back(std::move(error));
  if (errors.empty()) return std::nullopt;
  for (const std::string& error : errors) std::fprintf(stderr, "parleyd: %s\n", error.c_str());
  std::fprintf(stderr, "parleyd: not started; parleyd --help lists the options\n");
  return kExitUsage;
}

}  // namespace parley::gateway
