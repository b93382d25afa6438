#include "tests/levels/rules.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string_view>

#include "tests/levels/folders.h"

namespace parley::levels {
namespace {

// --- the rules ---

const std::vector<Level> kLevels = AllLevels();

// A library or table that only some files may use: their paths, in which a '*' at the end matches any rest.
struct Reserved {
  std::string_view what;
  std::vector<std::string_view> where;
};

// Headers of libraries, by the beginning of their names.
const std::vector<Reserved> kLibraries = {
    {"websocketpp/", {"gateway/net/*"}},
    {"boost/", {"gateway/net/http_parser.cc"}},
    {"asio/", {"gateway/net/*"}},
    {"asio.hpp", {"gateway/net/*"}},
    {"liburing.h", {"gateway/net/batch_writer.cc"}},
    {"rocksdb/", {"storage/rocksdb_*", "tests/storage/*", "tests/powercut/*", "bench/*"}},
    {"msgpack", {"protocol/codec_msgpack.cc", "protocol/json_text.cc"}},
    {"nlohmann/",
     {"protocol/codec_json.cc", "gateway/ops/asyncapi.cc", "accounts/jwt.cc", "accounts/tenants/settings.cc",
      "features/text_policy/settings.cc", "features/events/payload.cc", "gateway/http/openapi.cc",
      "tests/protocol/*", "tests/gateway/contract_*", "bench/report/*"}},
    {"spdlog/", {"protocol/base/log.cc"}},
    {"prometheus/", {"protocol/base/metrics.cc"}},
    {"CLI/", {"gateway/options_load.cc", "ctl/command_line.cc", "bench/*"}},
    {"curl/", {"ctl/http_client.cc", "features/files/s3_transfer.cc"}},
    {"toml++/", {"gateway/options_load.cc"}},
    {"unicode",
     {"protocol/base/clusters.cc", "protocol/base/name.cc", "threads/messages/emoji.cc",
      "threads/text/fold.cc", "threads/text/folded_name.cc"}},
    {"libav", {"media/video.cc"}},
    {"libswscale/", {"media/video.cc"}},
    {"vips/", {"media/copies.cc"}},
    {"seccomp.h", {"media/sandbox.cc"}},
    {"openssl/",
     {"protocol/base/crypto.cc", "protocol/base/encoding.cc", "accounts/jwt_crypto.cc",
      "features/files/digest.cc", "gateway/net/tls*", "bench/net/tls_client*", "tests/accounts/*",
      "tests/gateway/*"}},
    {"zlib.h", {"gateway/dynamodb/answer.cc", "gateway/net/compression.cc", "tests/gateway/net/*"}},
    {"gtest/", {"tests/*"}},
    {"gmock/", {"tests/*"}},
    {"benchmark/", {"bench/*"}},
    {"sanitizer/", {"tests/*"}},
};

// Derived tables: only fan-out knows their layout. storage/table_specs.h marks the derived tables.
const std::vector<std::string_view> kDerivedOwners = {"fanout/*", "storage/key_tags.h",
                                                      "storage/table_specs.h", "tests/*"};
// Locks must be the annotated ones, so that the compiler checks what they guard; tests are exempt.
const std::vector<Reserved> kLocks = {
    {"mutex", {"protocol/base/mutex.h", "tests/*", "bench/*"}},
    {"shared_mutex", {"tests/*"}},
    {"condition_variable", {"protocol/base/mutex.h", "tests/*", "bench/*"}},
};

constexpr std::string_view kSpecs = "storage/table_specs.h";

constexpr size_t kLinesMax = 800;

// POSIX and C headers that every file may include; those of C++ have no dot or slash.
const std::set<std::string_view> kSystemHeaders = {
    "dirent.h", "dlfcn.h",   "errno.h",  "fcntl.h",  "grp.h",     "limits.h", "malloc.h",  "poll.h",
    "netdb.h",  "pthread.h", "sched.h",  "spawn.h",  "signal.h",  "stdarg.h", "stdbool.h", "stddef.h",
    "stdint.h", "stdio.h",   "stdlib.h", "string.h", "strings.h", "time.h",   "unistd.h"};
constexpr std::string_view kSystemFolders[] = {"sys/", "netinet/", "arpa/"};

// --- applying them ---

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool Matches(std::string_view path, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return path == pattern;
  const std::string_view end = pattern.substr(star + 1);
  return path.size() + 1 >= pattern.size() && StartsWith(path, pattern.substr(0, star)) &&
         path.substr(path.size() - end.size()) == end;
}

bool IsAmong(std::string_view path, const std::vector<std::string_view>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](auto pattern) { return Matches(path, pattern); });
}

bool IsSystemHeader(std::string_view header) {
  if (header.find_first_of("./") == std::string_view::npos || kSystemHeaders.contains(header)) return true;
  return std::any_of(std::begin(kSystemFolders), std::end(kSystemFolders),
                     [&](std::string_view folder) { return StartsWith(header, folder); });
}

std::string Joined(const std::vector<std::string_view>& parts) {
  std::string all;
  for (const std::string_view part : parts) all += (all.empty() ? "" : ", ") + std::string(part);
  return all;
}

// The header of an include directive with its opening sign ('"' or '<'), or nothing.
std::string_view IncludedBy(std::string_view line) {
  const auto skip = [&](std::string_view token) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (!StartsWith(line, token)) return false;
    line.remove_prefix(token.size());
    return true;
  };
  if (!skip("#") || !skip("include") || !skip("") || line.empty()) return {};
  const size_t end = line.find(line.front() == '<' ? '>' : '"', 1);
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end);
}

// The line without quoted text and // comments.
std::string CodeOf(std::string_view line) {
  std::string code;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        quote = 0;
      }
    } else if (line[i] == '"' || (line[i] == '\'' && (i == 0 || !std::isalnum(line[i - 1])))) {
      quote = line[i];
    } else if (line.substr(i, 2) == "//") {
      break;
    } else {
      code += line[i];
    }
  }
  return code;
}

bool NamesWord(std::string_view code, std::string_view word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t at = code.find(word); at != std::string_view::npos; at = code.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_part(code[at - 1])) && (end == code.size() || !is_part(code[end]))) return true;
  }
  return false;
}

// The tags of the tables whose specifications call them derived.
std::vector<std::string> DerivedTables(const std::string& specs) {
  static const std::regex spec(R"(\.tag = TableTag::(\w+)[^{}]*\.derived = true)");
  std::vector<std::string> names;
  for (std::sregex_iterator at(specs.begin(), specs.end(), spec), end; at != end; ++at)
    names.push_back((*at)[1]);
  return names;
}

class Checker {
 public:
  explicit Checker(const std::vector<SourceFile>& tree) {
    for (const SourceFile& file : tree) {
      paths_.insert(file.path);
      if (file.path == kSpecs) derived_ = DerivedTables(file.text);
    }
  }

  void Check(const SourceFile& file) {
    path_ = file.path;
    line_ = 0;
    const Level* level = nullptr;
    for (const Level& candidate : kLevels) {
      if (!StartsWith(path_, candidate.folder)) continue;
      if (!level || level->folder.size() < candidate.folder.size()) level = &candidate;
    }
    if (!level) return Complain("lies in no folder that the levels know");
    if (level->folder == "threads/" && path_.find('/', level->folder.size()) != std::string::npos)
      return Complain("lies in no slice that the levels know");
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      const std::string_view included = IncludedBy(line);
      if (!included.empty()) CheckInclude(*level, included);
      CheckNames(CodeOf(line));
    }
    if (line_ > kLinesMax) Complain("longer than " + std::to_string(kLinesMax) + " lines: it is two things");
  }

  std::vector<std::string> Take() { return std::move(complaints_); }

 private:
  void CheckInclude(const Level& level, std::string_view included) {
    const std::string_view header = included.substr(1);
    if (included.front() == '<') return CheckLibrary(header);
    const auto& allowed = level.may_include;
    if (std::none_of(allowed.begin(), allowed.end(), [&](auto folder) { return IsWithin(header, folder); })) {
      Complain("includes " + std::string(header) + "; from here only " + Joined(allowed));
    } else if (!paths_.contains(header)) {
      Complain("includes " + std::string(header) + ", which is not there");
    }
  }

  // Within storage/ the folder's name means only the files beside the slices.
  bool IsWithin(std::string_view header, std::string_view folder) const {
    if (!StartsWith(header, folder)) return false;
    return folder != "storage/" || !StartsWith(path_, folder) ||
           header.find('/', folder.size()) == std::string_view::npos;
  }

  void CheckLibrary(std::string_view header) {
    for (const Reserved& lock : kLocks) {
      if (header == lock.what && !IsAmong(path_, lock.where))
        return Complain("includes <" + std::string(header) + ">; locks are those of protocol/base/mutex.h");
    }
    if (IsSystemHeader(header)) return;
    for (const Reserved& library : kLibraries) {
      if (!StartsWith(header, library.what)) continue;
      if (IsAmong(path_, library.where)) return;
      return Complain("includes <" + std::string(header) + ">; only for " + Joined(library.where));
    }
    Complain("includes <" + std::string(header) + ">, a library that tests/levels/ does not know");
  }

  void CheckNames(const std::string& code) {
    for (const std::string& name : derived_) {
      if (!NamesWord(code, name) || IsAmong(path_, kDerivedOwners)) continue;
      Complain("names " + name + "; only for " + Joined(kDerivedOwners));
    }
  }

  void Complain(const std::string& what) {
    complaints_.push_back(path_ + ":" + std::to_string(line_) + ": " + what);
  }

  std::set<std::string, std::less<>> paths_;
  std::vector<std::string> derived_;
  std::vector<std::string> complaints_;
  std::string path_;
  size_t line_ = 0;
};

// The outermost folders that the rules cover.
std::set<std::string> TopFolders() {
  std::set<std::string> folders;
  for (const Level& level : kLevels) folders.emplace(level.folder.substr(0, level.folder.find('/') + 1));
  return folders;
}

std::string TextOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// The comment at the beginning of a file as one line without its signs; empty if the file begins otherwise.
std::string FirstComment(const std::string& text) {
  std::istringstream lines(text);
  std::string comment;
  bool is_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (comment.empty() && StartsWith(line, "/*")) is_block = true;
    if (!is_block && !StartsWith(line, "//")) break;
    const bool ends = line.find("*/") != std::string::npos;
    const size_t from = line.find_first_not_of(" /*");
    if (from == std::string::npos) break;
    comment += (comment.empty() ? "" : " ") + line.substr(from);
    if (ends) break;
  }
  return comment;
}

// Whether a text begins with a sentence of at least three words. It may begin with the name of an op or a
// file.
bool BeginsWithSentence(const std::string& text) {
  static const std::regex end(R"([.:;!?](\s|$))");
  if (!std::regex_search(text, end)) return false;
  const std::string first = text.substr(0, text.find(' '));
  if (std::islower(static_cast<unsigned char>(first.front())) &&
      first.find_first_of("./_") == std::string::npos)
    return false;
  std::istringstream words(text);
  int count = 0;
  for (std::string word; count < 3 && words >> word;) ++count;
  return count == 3;
}

}  // namespace

std::vector<SourceFile> ReadTree(const std::string& root) {
  namespace fs = std::filesystem;
  static const std::set<std::string> kExtensions = {".cc", ".h", ".c"};
  std::vector<SourceFile> tree;
  for (const std::string& folder : TopFolders()) {
    const fs::path top = fs::path(root) / folder;
    if (!fs::is_directory(top)) continue;
    for (auto at = fs::recursive_directory_iterator(top); at != fs::recursive_directory_iterator(); ++at) {
      if (at->path().filename() == "node_modules") at.disable_recursion_pending();
      if (!at->is_regular_file() || !kExtensions.contains(at->path().extension().string())) continue;
      tree.push_back({fs::relative(at->path(), root).generic_string(), TextOf(at->path())});
    }
  }
  return tree;
}

std::vector<std::string> Complaints(const std::vector<SourceFile>& tree) {
  Checker checker(tree);
  for (const SourceFile& file : tree) checker.Check(file);
  return checker.Take();
}

std::vector<std::string> MutualIncludes(const std::vector<SourceFile>& tree) {
  const auto folder_of = [](const std::string& path) { return path.substr(0, path.rfind('/') + 1); };
  std::set<std::pair<std::string, std::string>> edges;
  static const std::regex include("#include \"([^\"]+)\"");
  for (const SourceFile& file : tree) {
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), include), end; at != end; ++at)
      edges.emplace(folder_of(file.path), folder_of((*at)[1].str()));
  }
  std::vector<std::string> out;
  for (const auto& [from, to] : edges)
    if (from < to && edges.contains({to, from})) out.push_back(from + " <-> " + to);
  return out;
}

std::vector<std::string> HeadersWithoutSentence(const std::vector<SourceFile>& tree) {
  std::vector<std::string> found;
  for (const SourceFile& file : tree)
    if (file.path.ends_with(".h") && !BeginsWithSentence(FirstComment(file.text))) found.push_back(file.path);
  return found;
}

}  // namespace parley::levels
