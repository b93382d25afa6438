// Defines the configuration as one table of options. File, environment and flags fill it (later ones win),
// all errors are reported at once, the server does not start with unknown keys, and --help and
// docs/configuration.md are printed from the table.
//
// Thread contract: any thread; LoadConfig and ReadConfigFile read the environment and files, so call them in
// main before other threads start.
// main, before other threads start.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gateway/app/config.h"
#include "protocol/base/log.h"
#include "protocol/ops/inbox.h"

namespace parley::gateway {

struct Option {
  // The key in the file, max_frame_bytes; flag --max-frame-bytes; environment PARLEY_MAX_FRAME_BYTES.
  const char* key;
  std::variant<int64_t Config::*, std::string Config::*, bool Config::*> member;
  int64_t low = 0, high = 0;  // bounds of a number, inclusive
  const char* section;        // heading in the manual and in --help
  const char* doc;            // one sentence
};
const std::vector<Option>& Options();

std::string FlagOf(const Option& option);         // --max-frame-bytes
std::string EnvironmentOf(const Option& option);  // PARLEY_MAX_FRAME_BYTES
std::string ValueOf(const Option& option, const Config& config);
std::string DefaultOf(const Option& option);
std::string ValueOfOption(const Config& config, std::string_view key);  // empty: there is no such option
std::vector<std::string> ChangedOptions(const Config& config);  // "io_threads=4", in the order of the table

// Values by key, as text, from one source named `origin`.
struct Source {
  std::string origin;
  std::map<std::string, std::string> values;
};
// Applies the sources in order. Returns every error found, none on success.
std::vector<std::string> Fill(const std::vector<Source>& sources, Config* config);

// Returns errors of values that are valid alone but do not fit together.
std::vector<std::string> Check(const Config& config);

// Loads everything for main: nullopt to continue, else the exit code.
std::optional<int> LoadConfig(int argc, char** argv, Config* config);

// Reads a TOML file's keys and values as text; appends errors.
Source ReadConfigFile(const std::string& path, std::vector<std::string>* errors);

std::string HelpText();
std::string ManualText();  // docs/configuration.md

// The folders offered to tenants that set none. Unknown names are ignored.
protocol::FolderSet OfferedFolders(const Config& config);
std::vector<std::string> TracesOf(const Config& config);  // "thread=…", "user=…" or "session=…"
protocol::LogLevel LogLevelOf(const Config& config);
// Returns the set of ports (threads/model/card_kinds.h) in card_ports, or nullopt if it names an unknown one.
std::optional<uint8_t> FindCardPorts(const Config& config);
// The share of reader_bytes reserved for one answer under construction: a reply has up to two pages, in two
// encodings.
int64_t AnswerBytes(const Config& config);
// Splits host:port; returns false for another form.
bool SplitHostPort(const std::string& listen, std::string* host, uint16_t* port);

}  // namespace parley::gateway
