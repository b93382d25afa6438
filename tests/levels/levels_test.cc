// The tree follows its rules (rules.h), and each rule reports a planted tree that violates it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "tests/levels/rules.h"
#include "tests/repository.h"

namespace parley::levels {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The complaints about one file, in a tree that has a header in every folder.
std::vector<std::string> Reported(const std::string& path, const std::string& text) {
  std::vector<SourceFile> tree = {
      {"protocol/frame.h", ""},       {"protocol/base/result.h", ""},   {"storage/table.h", ""},
      {"threads/engine/batch.h", ""}, {"accounts/jwt.h", ""},           {"fanout/hub.h", ""},
      {"gateway/app/node.h", ""},     {"tests/storage/backends.h", ""},
  };
  tree.push_back({"storage/table_specs.h",
                  "{.tag = TableTag::kThreads, .shape = kUlid},\n"
                  "{.tag = TableTag::kInboxIndex,\n .derived = true},\n"
                  "{.tag = TableTag::kPlacement, .derived = true},\n"});
  tree.push_back({path, text});
  return Complaints(tree);
}

std::string Include(const std::string& header) {
  return "#include \"" + header + "\"\n";
}

TEST(Levels, TheTreeFollowsItsRules) {
  const std::vector<SourceFile> tree = ReadTree(tests::RepositoryPath(""));
  for (const char* there :
       {"protocol/frame.h", "storage/key.cc", "threads/engine/batch.cc", "accounts/jwt.cc", "fanout/hub.cc",
        "gateway/main.cc", "tests/levels/levels_test.cc"}) {
    EXPECT_TRUE(std::any_of(tree.begin(), tree.end(), [&](const auto& file) { return file.path == there; }))
        << there << " was not read";
  }
  for (const std::string& complaint : Complaints(tree)) ADD_FAILURE() << complaint;
}

// Places that create an error of a code with several reasons without naming a reason.
std::vector<std::string> WithoutReason(const std::vector<SourceFile>& tree) {
  std::string codes;
  for (const SourceFile& file : tree) {
    if (file.path != "protocol/base/reason.cc") continue;
    const std::regex line(R"(\{R::k\w+,\s*E::k(\w+),)");
    for (std::sregex_iterator at(file.text.begin(), file.text.end(), line), end; at != end; ++at)
      codes += (codes.empty() ? "" : "|") + (*at)[1].str();
  }
  if (codes.empty()) return {"no reasons were found"};
  const std::regex several("k(" + codes + ")\\b[\\s\\S]*");
  const std::regex makes(R"([\s\S]*(\bError(\s+\w+)?[({]|\breturn \{)\s*(protocol::)?)");
  constexpr size_t kBefore = 40;  // characters of source before the place
  std::vector<std::string> out;
  for (const SourceFile& file : tree) {
    if (file.path.starts_with("tests/") || file.path.starts_with("bench/")) continue;
    constexpr std::string_view kName = "ErrorCode::";
    for (size_t at = 0; (at = file.text.find(kName, at)) != std::string::npos; at += kName.size()) {
      const size_t from = at < kBefore ? 0 : at - kBefore;
      const std::string before = file.text.substr(from, at - from);
      if (std::regex_match(before, makes) &&
          std::regex_match(file.text.substr(at + kName.size(), kBefore), several))
        out.push_back(file.path + ": " + file.text.substr(at, kBefore));
    }
  }
  return out;
}

// Otherwise all these errors would have the same hint.
TEST(Levels, ErrorsOfACodeWithSeveralReasonsNameOne) {
  std::vector<SourceFile> tree = ReadTree(tests::RepositoryPath(""));
  EXPECT_THAT(WithoutReason(tree), IsEmpty());
  const SourceFile table = *std::find_if(tree.begin(), tree.end(), [](const SourceFile& file) {
    return file.path == "protocol/base/reason.cc";
  });
  for (const char* text :
       {"return Error(ErrorCode::kForbidden, why);", "Error error(protocol::ErrorCode::kTooLarge, x);",
        "return {ErrorCode::kNotFound, \"no\"};"})
    EXPECT_THAT(WithoutReason({table, {"threads/a.cc", text}}), testing::SizeIs(1)) << text;
  for (const char* text :
       {"return Error(ErrorCode::kInternal, why);", "if (error.code == ErrorCode::kForbidden) {",
        "return ErrorFor(Reason::kOnlyStaff, x);"})
    EXPECT_THAT(WithoutReason({table, {"threads/a.cc", text}}), IsEmpty()) << text;
}

TEST(Levels, EveryFolderMayIncludeTheFoldersBelow) {
  EXPECT_THAT(Reported("protocol/a.h", Include("protocol/base/result.h")), IsEmpty());
  EXPECT_THAT(Reported("storage/a.h", Include("storage/table.h") + Include("protocol/frame.h")), IsEmpty());
  EXPECT_THAT(Reported("threads/a.cc", Include("storage/table.h")), IsEmpty());
  EXPECT_THAT(Reported("accounts/a.cc", Include("storage/table.h")), IsEmpty());
  EXPECT_THAT(Reported("fanout/a.cc", Include("threads/engine/batch.h") + Include("accounts/jwt.h")),
              IsEmpty());
  EXPECT_THAT(Reported("ctl/a.cc", Include("fanout/hub.h") + Include("protocol/frame.h")), IsEmpty());
  EXPECT_THAT(Reported("tests/sim/a.cc", Include("gateway/app/node.h") + Include("tests/storage/backends.h")),
              IsEmpty());
}

TEST(Levels, VerifyIncludesNoCodeThatItVerifies) {
  EXPECT_THAT(Reported("fanout/verify/a.cc", Include("storage/table.h") + Include("protocol/frame.h")),
              IsEmpty());
  EXPECT_THAT(Reported("fanout/verify/a.cc", Include("fanout/hub.h")),
              ElementsAre(HasSubstr("includes fanout/hub.h; from here only fanout/verify/")));
  EXPECT_THAT(Reported("fanout/verify/a.cc", Include("threads/engine/batch.h")),
              ElementsAre(HasSubstr("threads/engine/batch.h")));
}

TEST(Levels, TheSlicesOfStorageIncludeOneWay) {
  EXPECT_THAT(Reported("storage/engine/a.cc", Include("storage/table.h") + Include("storage/items/number.h")),
              Each(HasSubstr("not there")));
  EXPECT_THAT(Reported("storage/items/a.cc", Include("storage/engine/a.h")),
              ElementsAre(HasSubstr("includes storage/engine/a.h; from here only")));
  EXPECT_THAT(Reported("storage/table.h", Include("storage/items/number.h")),
              ElementsAre(HasSubstr("includes storage/items/number.h; from here only storage/, protocol/")));
}

TEST(Levels, NoFolderIncludesAFolderAbove) {
  EXPECT_THAT(Reported("protocol/base/a.h", Include("protocol/frame.h")),
              ElementsAre("protocol/base/a.h:1: includes protocol/frame.h; from here only protocol/base/"));
  EXPECT_THAT(Reported("protocol/a.h", Include("storage/table.h")), ElementsAre(HasSubstr("only protocol/")));
  EXPECT_THAT(Reported("storage/a.h", "\n" + Include("threads/engine/batch.h")),
              ElementsAre(HasSubstr("storage/a.h:2: ")));
  EXPECT_THAT(Reported("threads/messages/a.cc", Include("fanout/hub.h")),
              ElementsAre(HasSubstr("fanout/hub.h")));
  EXPECT_THAT(Reported("accounts/a.cc", Include("gateway/app/node.h")),
              ElementsAre(HasSubstr("gateway/app/node.h")));
  EXPECT_THAT(Reported("fanout/a.cc", Include("gateway/app/node.h")),
              ElementsAre(HasSubstr("gateway/app/node.h")));
}

TEST(Levels, ThreadsAndAccountsDoNotKnowEachOther) {
  EXPECT_THAT(Reported("threads/a.cc", Include("accounts/jwt.h")), ElementsAre(HasSubstr("accounts/jwt.h")));
  EXPECT_THAT(Reported("accounts/a.cc", Include("threads/engine/batch.h")),
              ElementsAre(HasSubstr("threads/engine/batch.h")));
}

TEST(Levels, TheSlicesOfThreadsIncludeOneWay) {
  EXPECT_THAT(Reported("threads/messages/a.cc", Include("threads/engine/batch.h")), IsEmpty());
  EXPECT_THAT(Reported("threads/operations.h", Include("threads/engine/batch.h")), IsEmpty());
  EXPECT_THAT(Reported("threads/model/a.cc", Include("threads/engine/batch.h")),
              ElementsAre(HasSubstr("includes threads/engine/batch.h; from here only")));
  EXPECT_THAT(Reported("threads/nowhere/a.cc", ""), ElementsAre(HasSubstr("no slice")));
}

TEST(Levels, TheNetworkKnowsNoSessions) {
  EXPECT_THAT(Reported("gateway/net/a.cc", Include("protocol/base/result.h")), IsEmpty());
  EXPECT_THAT(Reported("gateway/net/a.cc", Include("gateway/app/node.h")),
              ElementsAre(HasSubstr("gateway/app/node.h")));
}

TEST(Levels, TheRoomsOfTheGatewayIncludeOneWay) {
  EXPECT_THAT(Reported("gateway/ws/a.cc", Include("gateway/front.h")),
              ElementsAre(HasSubstr("includes gateway/front.h; from here only")));
  EXPECT_THAT(Reported("gateway/http/a.cc", Include("gateway/dynamodb/x.h") + Include("gateway/ws/x.h")),
              ElementsAre(HasSubstr("not there"), HasSubstr("includes gateway/ws/x.h; from here only")));
}

TEST(Levels, NoTwoFoldersIncludeEachOther) {
  EXPECT_THAT(MutualIncludes(ReadTree(tests::RepositoryPath(""))), IsEmpty());
  EXPECT_THAT(
      MutualIncludes(
          {{"a/x/1.h", Include("a/2.h")}, {"a/2.h", Include("b/3.h")}, {"a/3.h", Include("a/x/1.h")}}),
      ElementsAre("a/ <-> a/x/"));
}

TEST(Levels, ServerCodeIncludesNothingOfTheTests) {
  EXPECT_THAT(Reported("gateway/a.cc", Include("tests/storage/backends.h")),
              ElementsAre(HasSubstr("tests/")));
}

TEST(Levels, IncludesAreWrittenFromTheRootAndExist) {
  EXPECT_THAT(Reported("storage/a.cc", Include("table.h")), ElementsAre(HasSubstr("includes table.h;")));
  EXPECT_THAT(Reported("accounts/a.cc", Include("storage/../threads/turn.h")),
              ElementsAre(HasSubstr("not there")));
  EXPECT_THAT(Reported("storage/a.cc", "  #  include \"storage/gone.h\""),
              ElementsAre(HasSubstr("not there")));
}

TEST(Levels, AnUnlistedFolderIsReported) {
  EXPECT_THAT(Reported("util/a.h", ""), ElementsAre(HasSubstr("no folder that the levels know")));
}

TEST(Levels, OnlyFanOutNamesTheIndexes) {
  for (const std::string name : {"kInboxIndex", "kPlacement"}) {
    const std::string use = "auto tag = TableTag::" + name + ";\n";
    EXPECT_THAT(Reported("threads/a.cc", use), ElementsAre(HasSubstr("threads/a.cc:1: names " + name)));
    EXPECT_THAT(Reported("ctl/a.cc", use), ElementsAre(HasSubstr("names " + name)));
    EXPECT_THAT(Reported("storage/memory_a.cc", use), ElementsAre(HasSubstr("names " + name)));
    EXPECT_THAT(Reported("fanout/a.cc", use), IsEmpty());
    EXPECT_THAT(Reported("storage/key.cc", use), ElementsAre(HasSubstr("names " + name)));
    EXPECT_THAT(
        Reported("threads/a.cc", "// not " + name + "\nauto s = \"" + name + "\"; int x" + name + ";"),
        IsEmpty());
  }
}

TEST(Levels, TheDerivedTablesAreThoseMarkedInTheirSpecifications) {
  EXPECT_THAT(Reported("threads/a.cc", "auto tag = TableTag::kThreads;\n"), IsEmpty());
  const std::vector<SourceFile> tree = ReadTree(tests::RepositoryPath(""));
  const auto specs = std::find_if(tree.begin(), tree.end(),
                                  [](const auto& file) { return file.path == "storage/table_specs.h"; });
  ASSERT_NE(specs, tree.end());
  EXPECT_THAT(Complaints({*specs,
                          {"storage/key_tags.h", ""},
                          {"protocol/a.cc", "TableTag::kWake; TableTag::kProjectIndex;"}}),
              ElementsAre(HasSubstr("names kProjectIndex"), HasSubstr("names kWake")));
}

TEST(Levels, ALibraryIsIncludedOnlyInItsWrapper) {
  const auto is_refused = [](const std::string& path, const std::string& header) {
    const auto reported = Reported(path, "#include <" + header + ">\n");
    return reported.size() == 1 && reported[0].find("<" + header + ">") != std::string::npos;
  };
  EXPECT_TRUE(is_refused("gateway/ws/session.cc", "websocketpp/server.hpp"));
  EXPECT_TRUE(is_refused("gateway/ws/session.cc", "asio/post.hpp"));
  EXPECT_TRUE(is_refused("gateway/net/socket.cc", "liburing.h"));
  EXPECT_TRUE(is_refused("fanout/a.cc", "rocksdb/db.h"));
  EXPECT_TRUE(is_refused("protocol/frame.cc", "msgpack.hpp"));
  EXPECT_TRUE(is_refused("gateway/http/http_api.cc", "nlohmann/json.hpp"));
  EXPECT_TRUE(is_refused("storage/a.cc", "spdlog/spdlog.h"));
  EXPECT_TRUE(is_refused("fanout/a.cc", "prometheus/registry.h"));
  EXPECT_TRUE(is_refused("gateway/main.cc", "CLI/CLI.hpp"));
  EXPECT_TRUE(is_refused("gateway/main.cc", "toml++/toml.h"));
  EXPECT_TRUE(is_refused("gateway/main.cc", "unicode/uchar.h"));
  EXPECT_TRUE(is_refused("threads/a.cc", "openssl/evp.h"));
  EXPECT_TRUE(is_refused("storage/a.cc", "gtest/gtest.h"));
  EXPECT_FALSE(is_refused("storage/rocksdb_open.cc", "rocksdb/db.h"));
  EXPECT_FALSE(is_refused("gateway/net/asio_loop.h", "asio/io_context.hpp"));
}

TEST(Levels, AnUnlistedLibraryIsReported) {
  EXPECT_THAT(Reported("storage/a.cc", "#include <folly/String.h>"), ElementsAre(HasSubstr("does not know")));
  EXPECT_THAT(Reported("storage/a.cc", "#include <string>\n#include <sys/uio.h>\n#include <unistd.h>\n"),
              IsEmpty());
}

TEST(Levels, LocksMustBeAnnotated) {
  EXPECT_THAT(Reported("fanout/a.h", "#include <mutex>\n"), ElementsAre(HasSubstr("protocol/base/mutex.h")));
  EXPECT_THAT(Reported("gateway/a.h", "#include <shared_mutex>\n"), ElementsAre(HasSubstr("mutex.h")));
  EXPECT_THAT(Reported("tests/gateway/a.cc", "#include <mutex>\n"), IsEmpty());
}

TEST(Levels, AFileIsAtMost800LinesLong) {
  std::string text;
  for (int i = 0; i < 800; ++i) text += "\n";
  EXPECT_THAT(Reported("threads/a.cc", text), IsEmpty());
  EXPECT_THAT(Reported("threads/a.cc", text + "\n"),
              ElementsAre(HasSubstr("threads/a.cc:801: longer than 800")));
}

TEST(Levels, EveryHeaderBeginsWithASentenceAboutItsContent) {
  const std::vector<SourceFile> tree = ReadTree(tests::RepositoryPath(""));
  EXPECT_GT(
      std::count_if(tree.begin(), tree.end(), [](const auto& file) { return file.path.ends_with(".h"); }),
      300);
  EXPECT_THAT(HeadersWithoutSentence(tree), IsEmpty());
}

TEST(Levels, AHeaderWithoutAFirstSentenceIsReported) {
  const auto is_reported = [](const std::string& text) {
    return !HeadersWithoutSentence({{"gateway/a.h", text}}).empty();
  };
  EXPECT_FALSE(is_reported("// Reads a page.\n#pragma once\n"));
  EXPECT_FALSE(is_reported("// Reads a page, or as much of it\n// as there is: the rest follows.\n"));
  EXPECT_FALSE(is_reported("/* Writes a page,\n   or none. */\n"));
  EXPECT_TRUE(is_reported(""));
  EXPECT_TRUE(is_reported("#pragma once\n// Reads a page.\n"));
  EXPECT_TRUE(is_reported("// Reads a page\n#pragma once\n"));
  EXPECT_TRUE(is_reported("// Pages.\n#pragma once\n"));
  EXPECT_TRUE(is_reported("// reads a page.\n"));
  EXPECT_TRUE(HeadersWithoutSentence({{"gateway/a.cc", ""}}).empty());
}

TEST(Levels, AllSourcesOfTheTreeAreRead) {
  const std::filesystem::path root = std::filesystem::path(::testing::TempDir()) / "levels_tree";
  std::filesystem::remove_all(root);
  for (const char* path : {"threads/messages/a.cc", "storage/a.h", "tests/powercut/a.c", "threads/README.md",
                           "tests/e2e/node_modules/x/a.cc", "build/a.cc"}) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << "int x;\n";
  }
  std::vector<std::string> read;
  for (const SourceFile& file : ReadTree(root.string())) read.push_back(file.path + "=" + file.text);
  std::filesystem::remove_all(root);
  EXPECT_THAT(read, ::testing::UnorderedElementsAre("storage/a.h=int x;\n", "tests/powercut/a.c=int x;\n",
                                                    "threads/messages/a.cc=int x;\n"));
}

}  // namespace
}  // namespace parley::levels
