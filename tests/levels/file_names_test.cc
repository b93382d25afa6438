// No two sources of a level, nor two tests of a folder, define the same name, so that they can be compiled as
// one unit.
#include "tests/levels/file_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/repository.h"

namespace parley::levels {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> NamesIn(const std::string& source) {
  std::vector<std::string> out;
  for (const DefinedName& one : NamesDefinedIn(source)) {
    if (!one.is_declared) out.push_back(one.space + "|" + one.name + one.parameters);
  }
  return out;
}

// The clashes of two sources whose definitions are in the unnamed namespace of one namespace.
std::vector<std::string> Between(const std::string& a, const std::string& b) {
  const auto in_file = [](const std::string& text) {
    return "namespace parley {\nnamespace {\n" + text + "\n}\n}\n";
  };
  return ClashingNames({{"threads/a.cc", in_file(a)}, {"threads/b.cc", in_file(b)}});
}

TEST(FileNames, TheTreeHasNoClashes) {
  const std::vector<SourceFile> tree = ReadTree(tests::RepositoryPath(""));
  size_t names = 0;
  for (const SourceFile& file : tree) names += NamesDefinedIn(file.text).size();
  EXPECT_GT(names, 8000u) << "the sources were not read";
  for (const std::string& clash : ClashingNames(tree)) ADD_FAILURE() << clash;
}

TEST(FileNames, DefinitionsOfEachKindAreFound) {
  EXPECT_THAT(NamesIn("namespace a::b {\nnamespace {\nconstexpr int kA = 1, kB = 2;\n}\n}"),
              ElementsAre("a::b|kA", "a::b|kB"));
  EXPECT_THAT(NamesIn("struct A : B<C> { int x; };\nclass D final { D(); };\nenum class E : int { kF };"),
              ElementsAre("|A", "|D", "|E"));
  EXPECT_THAT(NamesIn("struct { int a; } kRows[] = {{1}};\nconst char kText[] = \"kNot = 1; {\";"),
              ElementsAre("|kRows", "|kText"));
  EXPECT_THAT(
      NamesIn("std::function<void(int)> F(const std::map<int, A>& a, size_t n = G(1)) { return {}; }"),
      ElementsAre("|F(const map<int,A>&,size_t)"));
  EXPECT_THAT(NamesIn("template <class T>\nauto F(T&& t) -> decltype(t) { return t; }"),
              ElementsAre("|F(T&&)"));
  EXPECT_THAT(NamesIn("using A = int;\nusing b::C;\nusing namespace d;\nusing enum E;"),
              ElementsAre("|A", "|C"));
  EXPECT_THAT(NamesIn("bool operator==(const A& a, B b) { return true; }"),
              ElementsAre("|operator==(const A&,B)"));
  EXPECT_THAT(NamesIn("const A kA(\"x\");\nA kB{1};\nint kC[] = {1, 2};"), ElementsAre("|kA", "|kB", "|kC"));
  EXPECT_THAT(NamesIn("#define LIMIT 3\n"), ElementsAre("|LIMIT"));
}

TEST(FileNames, DeclarationsMembersAndCommentsDefineNothing) {
  EXPECT_THAT(NamesIn("struct A;\nint F(int);\nextern const A kA, kB;\nstatic_assert(F(1) == 2);"),
              IsEmpty());
  EXPECT_THAT(NamesIn("A::A(int x) : x_{x}, y_(x) { F(); }\nA::~A() {}\nint A::F() const { return 1; }"),
              IsEmpty());
  EXPECT_THAT(NamesIn("struct A::B { int c; };\ntemplate <>\nstruct C<int> {};"), IsEmpty());
  EXPECT_THAT(NamesIn("// int kA = 1;\n/* int kB = 2; */\n"), IsEmpty());
}

TEST(FileNames, TheSameNameInTwoSourcesOfALevelClashes) {
  EXPECT_THAT(Between("constexpr int kMax = 1;", "\nconstexpr int kMax = 1;"),
              ElementsAre("threads/b.cc:4: defines kMax, as threads/a.cc:3 does"));
  EXPECT_THAT(Between("struct Place {};", "using Place = int;"), ElementsAre(HasSubstr("defines Place")));
  EXPECT_THAT(Between("constexpr int kA = 1, kMax = 1;", "class kMax {};"), ElementsAre(HasSubstr("kMax")));
  EXPECT_THAT(Between("int F(const A& a) { return 1; }", "int F(const b::A& x = {}) { return 2; }"),
              ElementsAre(HasSubstr("defines F")));
  EXPECT_THAT(Between("using A = int;", "using A = char;"), ElementsAre(HasSubstr("defines A")));
}

TEST(FileNames, OverloadsAliasesOfOneTypeAndOtherLevelsDoNotClash) {
  EXPECT_THAT(Between("int F(int a) { return a; }", "int F(char a) { return a; }"), IsEmpty());
  EXPECT_THAT(Between("using A = int;\nusing b::C;", "using A = int;\nusing ::b::C;"), IsEmpty());
  EXPECT_THAT(ClashingNames({{"threads/a.cc", "int kA = 1;"}, {"accounts/a.cc", "int kA = 1;"}}), IsEmpty());
  EXPECT_THAT(
      ClashingNames({{"threads/a.cc", "namespace a { int kA = 1; }"}, {"threads/b.cc", "int kA = 1;"}}),
      IsEmpty());
}

TEST(FileNames, TestsOfOneFolderClashAndTheirSupportCodeDoesNot) {
  const auto clashes = [](const std::string& a, const std::string& b) {
    return ClashingNames({{a, "int kA = 1;"}, {b, "int kA = 1;"}}).size();
  };
  EXPECT_EQ(clashes("tests/threads/cards/a_test.cc", "tests/threads/b_test.cc"), 1u);
  EXPECT_EQ(clashes("tests/threads/a_test.cc", "tests/accounts/b_test.cc"), 0u);
  EXPECT_EQ(clashes("tests/threads/a_test.cc", "tests/threads/b_support.cc"), 0u) << "compiled by itself";
}

TEST(FileNames, ASourceMayNotRedefineTheDeclarationOfAHeaderInAnUnnamedNamespace) {
  const SourceFile header = {"storage/a.h", "namespace parley {\nclass Row;\nint F(int);\n}"};
  const auto clashes = [&](const std::string& text) {
    return ClashingNames({header, {"threads/a.cc", "namespace parley {\n" + text + "\n}"}}).size();
  };
  EXPECT_EQ(clashes("namespace {\nstruct Row {};\n}"), 1u);
  EXPECT_EQ(clashes("namespace {\nint F(int x) { return x; }\n}"), 1u);
  EXPECT_EQ(clashes("class Row {};\nint F(int x) { return x; }"), 0u) << "this is what the header declares";
}

TEST(FileNames, AnEnumWithoutClassDefinesItsValuesBesideIt) {
  const SourceFile header = {"storage/a.h", "namespace parley {\nenum Who : int { kAnyone = 1, kUsers };\n}"};
  const auto clashes = [&](const std::string& text) {
    return ClashingNames({header, {"threads/a.cc", "namespace parley {\nnamespace {\n" + text + "\n}\n}"}});
  };
  EXPECT_THAT(clashes("constexpr int kUsers = 1;"), ElementsAre(HasSubstr("defines kUsers")));
  EXPECT_THAT(clashes("enum class Other { kUsers };"), IsEmpty());
}

}  // namespace
}  // namespace parley::levels
