// No class of gateway/ws has more than 25 methods, so that a session stays in pieces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/levels/rules.h"
#include "tests/levels/source_tokens.h"
#include "tests/repository.h"

namespace parley::levels {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using Tokens = std::vector<Token>;

// Returns the position after the bracket that closes the one at `open`.
size_t Closed(const Tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t at = open; at < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    if (text == "(" || text == "{") ++depth;
    if ((text == ")" || text == "}") && --depth == 0) return at + 1;
  }
  return tokens.size();
}

// Returns the name of the function that the member at `at` declares, or "", and moves `at` after the member.
std::string FunctionAt(const Tokens& tokens, size_t& at, size_t end) {
  std::string name;
  bool assigned = false;
  int angles = 0;
  while (at < end) {
    const std::string& text = tokens[at].text;
    if (text == "<") ++angles;
    if (text == ">" && tokens[at - 1].text != "-") --angles;
    if (text == "=") assigned = true;
    if (text == "(" && name.empty() && !assigned && angles == 0) name = tokens[at - 1].text;
    const bool is_body = text == "{" && !name.empty();
    at = text == "(" || text == "{" ? Closed(tokens, at) : at + 1;
    if (is_body || text == ";") break;
  }
  return name;
}

bool BeginsType(const std::string& text) {
  return text == "class" || text == "struct" || text == "enum" || text == "union" || text == "using";
}

// Counts the methods of the class body [at, end), except constructors and the destructor.
size_t CountMethods(const Tokens& tokens, size_t at, size_t end, const std::string& class_name) {
  size_t count = 0;
  while (at < end) {
    const std::string& text = tokens[at].text;
    if (text == "public" || text == "private" || text == "protected") {
      at += 2;
    } else if (BeginsType(text)) {
      while (at < end && tokens[at].text != ";") at = tokens[at].text == "{" ? Closed(tokens, at) : at + 1;
      ++at;
    } else {
      const std::string name = FunctionAt(tokens, at, end);
      if (!name.empty() && name != class_name) ++count;
    }
  }
  return count;
}

std::map<std::string, size_t> MethodsPerClass(std::string_view source) {
  const Tokens tokens = TokensOf(source);
  std::map<std::string, size_t> methods;
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != "class" && tokens[at].text != "struct") continue;
    if (at > 0 && (tokens[at - 1].text == "enum" || tokens[at - 1].text == "<")) continue;
    size_t open = at + 1;
    while (open < tokens.size() && tokens[open].text != "{" && tokens[open].text != ";") ++open;
    if (open == tokens.size() || tokens[open].text == ";") continue;
    const std::string& name = tokens[at + 1].text;
    methods[name] = CountMethods(tokens, open + 1, Closed(tokens, open) - 1, name);
  }
  return methods;
}

TEST(Methods, no_class_of_the_sessions_has_more_than_25) {
  size_t classes = 0;
  for (const SourceFile& file : ReadTree(tests::RepositoryPath(""))) {
    if (!file.path.starts_with("gateway/ws/") || !file.path.ends_with(".h")) continue;
    for (const auto& [name, count] : MethodsPerClass(file.text)) {
      EXPECT_LE(count, 25u) << file.path << ": " << name;
      ++classes;
    }
  }
  EXPECT_GT(classes, 10u);
}

TEST(Methods, are_declared_or_defined_and_no_constructors_data_or_types) {
  EXPECT_THAT(MethodsPerClass("class A : B {\n public:\n  A() : x_(1) {}\n  ~A();\n  void F(int = 2);\n"
                              "  int g() const { return h(1); }\n  template <class T>\n  T M(T t);\n"
                              "  using S = B(int);\n  enum class E { kA };\n  struct C { void N(); } c_;\n"
                              " private:\n  std::function<void()> f_;\n  int x_ = k(2);\n};\n"),
              ElementsAre(Pair("A", 3), Pair("C", 1)));
}

}  // namespace
}  // namespace parley::levels
