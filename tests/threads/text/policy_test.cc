// Findings of a text policy, their positions, and the work to find them.
#include "threads/text/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "threads/text/documents.h"

namespace parley::threads::text {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> FoundIn(const Policy& policy, std::string_view text) {
  std::vector<std::string> out;
  for (const Finding& one : policy.Find(text).findings)
    out.push_back(policy.sets()[one.set].name.value + ": " +
                  std::string(text.substr(one.begin, one.end - one.begin)));
  return out;
}
std::vector<std::string> Found(std::string_view text) {
  return FoundIn(*DefaultPolicy(), text);
}

PolicyPtr PolicyOf(std::vector<std::string> terms, std::vector<std::string> exceptions = {}) {
  protocol::PatternSet set;
  set.name.value = "own";
  auto& wanted = set.terms.value.emplace().items;
  for (std::string& one : terms) wanted.push_back({std::move(one)});
  auto& harmless = set.exceptions.value.emplace().items;
  for (std::string& one : exceptions) harmless.push_back({std::move(one)});
  return *Policy::Make({set});
}

TEST(TextPolicy, EveryFileOfPatternsIsASet) {
  EXPECT_EQ(PatternDocuments().size(), DefaultSets().size());
  EXPECT_EQ(DefaultSets().size(), 5u);
  for (const protocol::PatternSet& set : DefaultSets())
    EXPECT_FALSE(set.hint.value.empty()) << set.name.value;
}

TEST(TextPolicy, DisguisedTermsAreFoundAtTheirPositions) {
  EXPECT_THAT(Found("take v3nm0?"), ElementsAre("payments: v3nm0"));
  EXPECT_THAT(Found("my ca$h app, ok"), ElementsAre("payments: ca$h app"));
  EXPECT_THAT(Found("on wh*tsapp!"), ElementsAre("off_platform_sites: wh*tsapp"));
  EXPECT_THAT(Found("so v.e.n.m.o it is"), ElementsAre("payments: v.e.n.m.o"));
  EXPECT_THAT(Found("так, рауpаl пожалуйста"), ElementsAre("payments: рауpаl"));
  EXPECT_THAT(Found("𝓿𝓮𝓷𝓶𝓸 / ven\xE2\x80\x8Bmo"),
              ElementsAre("payments: 𝓿𝓮𝓷𝓶𝓸", "payments: ven\xE2\x80\x8Bmo"));
  EXPECT_THAT(Found("venmoed me"), ElementsAre("payments: venmoed"));
}

TEST(TextPolicy, SpacedDigitsAndDigitsInWordsAreNumbers) {
  EXPECT_THAT(Found("at 5 5 5 2 3 4 8 8 9 1, ok?"), ElementsAre("contact: 5 5 5 2 3 4 8 8 9 1"));
  EXPECT_THAT(Found("five five five two three four 8891"),
              ElementsAre("contact: five five five two three four 8891"));
  EXPECT_THAT(Found("it is (555) 234-8891."), ElementsAre("contact: (555) 234-8891"));
  EXPECT_THAT(Found("+４９ 151 2345678"), ElementsAre("contact: +４９ 151 2345678"));
}

TEST(TextPolicy, CharactersSpelledOutByMarkdownAndLinksAreDecoded) {
  EXPECT_THAT(Found("take v&#101;nmo?"), ElementsAre("payments: v&#101;nmo"));
  EXPECT_THAT(Found("take &#x76;enmo?"), ElementsAre("payments: &#x76;enmo"));
  EXPECT_THAT(Found("jane&commat;gmail&period;com"), ElementsAre("contact: jane&commat;gmail&period;com"));
  EXPECT_THAT(Found("[here](https://p%61ypal.me/x)"), Not(IsEmpty()));
  EXPECT_THAT(Found("AT&T; R&D, 5% off, 100%25, &#; &#xZZ; &#99999999;"), IsEmpty());
}

TEST(TextPolicy, OnlyWholeWordsMatch) {
  const PolicyPtr policy = PolicyOf({"cash app", "zelle"});
  EXPECT_THAT(FoundIn(*policy, "cash apples, gazelle, a cash, app"), IsEmpty());
  EXPECT_THAT(FoundIn(*policy, "cash. App"), IsEmpty());
  EXPECT_THAT(FoundIn(*policy, "cash\napp"), IsEmpty());
  EXPECT_THAT(FoundIn(*policy, "(cash app)"), ElementsAre("own: cash app"));
}

TEST(TextPolicy, ATermOfAnotherScriptIsFound) {
  const PolicyPtr policy = PolicyOf({"вайбер", "微信号"});
  EXPECT_THAT(FoundIn(*policy, "есть Вайбер?"), ElementsAre("own: Вайбер"));
  EXPECT_THAT(FoundIn(*policy, "加 微信号"), ElementsAre("own: 微信号"));
}

TEST(TextPolicy, AHarmlessPhraseHidesTheTermWithinIt) {
  const PolicyPtr policy = PolicyOf({"call me"}, {"call me crazy", "they call me"});
  EXPECT_THAT(FoundIn(*policy, "call me crazy; they call me Al"), IsEmpty());
  EXPECT_THAT(FoundIn(*policy, "call me later"), ElementsAre("own: call me"));
}

TEST(TextPolicy, ALinkIsJudgedByItsDomain) {
  EXPECT_THAT(Found("https://t.me/jane"), ElementsAre("off_platform_sites: t.me"));
  EXPECT_THAT(Found("https://www.onlyfans.com/jane"),
              ElementsAre("off_platform_sites: www.onlyfans.com", "off_platform_sites: onlyfans"));
  EXPECT_THAT(Found("https://example.com/t.me"), IsEmpty()) << "only the host counts";
  EXPECT_TRUE(DefaultPolicy()->Find("see example.com").has_link);
  EXPECT_FALSE(DefaultPolicy()->Find("see 2.5 and 3.com").has_link);
}

TEST(TextPolicy, TheDomainIsFoundInALongLinkAndAfterAUserName) {
  protocol::PatternSet set;
  set.name.value = "own";
  auto& hosts = set.hosts.value.emplace().items;
  hosts.push_back({"averyveryverylongnameindeed.com"});
  hosts.push_back({"rival.example.com"});
  const PolicyPtr policy = *Policy::Make({set});
  EXPECT_THAT(FoundIn(*policy, "at https://averyveryverylongnameindeed.com/x"), Not(IsEmpty()));
  EXPECT_THAT(FoundIn(*policy, "at https://me:word@rival.example.com/x"), Not(IsEmpty()));
  EXPECT_THAT(FoundIn(*policy, "write to me@rival.example.com"), IsEmpty());
}

TEST(TextPolicy, RedactingKeepsTheRestByteForByte) {
  const std::string text = "Ünü: jane.doe@gmail.com, or +1 555 234 8891 🙂\n";
  EXPECT_EQ(Redact(text, DefaultPolicy()->Find(text).findings), "Ünü: [removed], or [removed] 🙂\n");
  EXPECT_EQ(Redact("abcdef", {{0, 1, 3}, {0, 2, 5}}), "a[removed]f");
  EXPECT_EQ(Redact("abc", {}), "abc");
}

TEST(TextPolicy, ATenantsSetReplacesTheOneOfTheSameName) {
  protocol::PatternSet own;
  own.name.value = "payments";
  own.terms.value.emplace().items = {{"barter"}};
  const auto policy = *Policy::Make(WithDefaults({own}));
  EXPECT_THAT(FoundIn(*policy, "venmo or barter"), ElementsAre("payments: barter"));
  EXPECT_THAT(FoundIn(*policy, "whatsapp"), ElementsAre("off_platform_sites: whatsapp"));
}

TEST(TextPolicy, AnInvalidTermIsRefusedWithItsPath) {
  protocol::PatternSet set;
  set.name.value = "own";
  for (const char* bad : {"ab", "a.*b", "", "---"}) {
    set.terms.value.emplace().items = {{"fine"}, {bad}};
    const auto made = Policy::Make({set});
    ASSERT_FALSE(made.ok()) << bad;
    EXPECT_EQ(made.error().fields.at(0).first, "sets.0.terms.1");
  }
  set.terms.value.reset();
  EXPECT_FALSE(Policy::Make({set, set}).ok()) << "two sets of one name";
}

TEST(TextPolicy, AnInvalidHostIsRefusedWithItsPath) {
  protocol::PatternSet set;
  set.name.value = "own";
  for (const char* bad :
       {"", "org", "example.", ".org", "a..b", "exa mple.org", "http://example.org", "a.org/x"}) {
    set.hosts.value.emplace().items = {{"fine.org"}, {bad}};
    const auto made = Policy::Make({set});
    ASSERT_FALSE(made.ok()) << bad;
    EXPECT_EQ(made.error().fields.at(0).first, "sets.0.hosts.1");
  }
  set.hosts.value.emplace().items = {{"Example.ORG"}};
  const auto policy = *Policy::Make({set});
  EXPECT_THAT(FoundIn(*policy, "see www.example.org/x"), ElementsAre("own: www.example.org"));
  EXPECT_THAT(FoundIn(*policy, "see badexample.org"), IsEmpty());
}

// As many sets as a tenant may have, with the most expensive terms, and a text made for them.
TEST(TextPolicy, TheWorkIsBoundedForAnySettings) {
  Policy::Sets sets;
  for (int i = 0; i < 32; ++i) {
    protocol::PatternSet& set = sets.emplace_back();
    set.name.value = "s" + std::to_string(i);
    auto& terms = set.terms.value.emplace().items;
    for (int j = 0; j < 400; ++j) {
      std::string term = "a";
      for (int n = i * 400 + j + 1; n > 0; n /= 3) term += "ab "[n % 3];
      while (term.back() == ' ') term.pop_back();
      while (term.size() < 60) term += (term.size() % 7 == 0) ? " a" : "a";
      terms.push_back({term.substr(0, 60)});
      if (terms.back().value.back() == ' ') terms.back().value.back() = 'a';
    }
    auto& hosts = set.hosts.value.emplace().items;
    for (int j = 0; j < 400; ++j) hosts.push_back({"h" + std::to_string(i * 400 + j) + ".org"});
  }
  const auto made = Policy::Make(std::move(sets));
  ASSERT_TRUE(made.ok());
  for (const std::string part : {"a ", "a*", "a-b ", "aaaaaa ", "a a*a ", "h1.org "}) {
    std::string text;
    while (text.size() < 8192) text += part;
    EXPECT_LE((*made)->Find(text).steps, Policy::kStepsPerByte * text.size() + Policy::kStepsMin) << part;
  }
}

// The work per byte is bounded for every text: eight kilobytes cost 8 times as much as one.
TEST(TextPolicy, TheWorkIsLinearInTheText) {
  constexpr size_t kStepsPerByte = 48;
  for (const std::string part : {"a",
                                 "v ",
                                 "v*",
                                 "o*o ",
                                 "* ",
                                 "1 ",
                                 "p a ",
                                 "c a s h a p ",
                                 "venm ",
                                 "1-",
                                 "a.",
                                 "a@",
                                 "com.",
                                 "$",
                                 "call me ",
                                 "в е н ",
                                 "at ",
                                 "a dot ",
                                 "12 a ",
                                 "pppppppp ",
                                 "s$s$s$s ",
                                 "555 ",
                                 "w*ts*p ",
                                 "_",
                                 "one ",
                                 "t.me/",
                                 "\xE2\x80\x8B",
                                 "\xF0\x9D\x93\xBF",
                                 "\xF0\x9F\x87\xBB",
                                 "\xEF\xB7\xBA",
                                 "outside the ",
                                 "p.a.y.p.a."}) {
    std::string one, eight;
    while (one.size() < 1024) one += part;
    while (eight.size() < 8192) eight += part;
    const size_t small = DefaultPolicy()->Find(one).steps, large = DefaultPolicy()->Find(eight).steps;
    EXPECT_LE(large, kStepsPerByte * eight.size()) << part;
    EXPECT_LE(large, 9 * small + 1000) << part;
  }
}

TEST(TextPolicy, AnyBytesAreAccepted) {
  for (const std::string& text : {std::string("\xff\xfe\x80"), std::string("\xf0\x9f"), std::string(1, '\0'),
                                  std::string("\xed\xa0\x80@x.com")}) {
    const Scan scan = DefaultPolicy()->Find(text);
    for (const Finding& one : scan.findings) EXPECT_LE(one.end, text.size());
  }
}

}  // namespace
}  // namespace parley::threads::text
