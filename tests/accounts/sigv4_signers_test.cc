// Verifies requests signed by other implementations: the cases of the published test suite for Signature
// Version 4, and requests signed by botocore (signed/make.py) and by the SDK for JavaScript
// (signed/make.mjs).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/sigv4_date.h"
#include "protocol/base/encoding.h"
#include "tests/accounts/signed_support.h"
#include "tests/repository.h"

namespace parley::accounts {
namespace {

// The suite's credentials, time and scope.
constexpr std::string_view kSuiteKey = "AKIDEXAMPLE";
constexpr std::string_view kSuiteSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kSuiteScope = "/20150830/us-east-1/service/aws4_request";
constexpr std::string_view kSuiteTime = "20150830T123600Z";

// A case of the suite; every request names example.amazonaws.com as its host.
struct SuiteCase {
  std::string name;
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> more_headers;
  std::string body;
  std::string more_signed;  // between host and x-amz-date, or before them
  std::string signature;
};

const std::string kUnreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const std::string kVanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31";
const std::string kPostVanilla = "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b";
const std::string kPostQuery = "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11";

// Names, requests and signatures as published by Amazon in aws-sig-v4-test-suite.zip, without those that no
// HTTP/1.1 server accepts: folded header lines. A blank in the target is encoded here.
const SuiteCase kSuite[] = {
    {"get-header-key-duplicate",
     "GET",
     "/",
     {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
     "",
     "my-header1",
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get-header-value-order",
     "GET",
     "/",
     {{"My-Header1", "value4"}, {"My-Header1", "value1"}, {"My-Header1", "value3"}, {"My-Header1", "value2"}},
     "",
     "my-header1",
     "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
    {"get-header-value-trim",
     "GET",
     "/",
     {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
     "",
     "my-header1;my-header2",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"get-unreserved",
     "GET",
     "/" + kUnreserved,
     {},
     "",
     "",
     "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
    {"get-utf8",
     "GET",
     "/\xe1\x88\xb4",
     {},
     "",
     "",
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
    {"get-vanilla", "GET", "/", {}, "", "", kVanilla},
    {"get-vanilla-query", "GET", "/", {}, "", "", kVanilla},
    {"get-vanilla-empty-query-key",
     "GET",
     "/?Param1=value1",
     {},
     "",
     "",
     "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
    {"get-vanilla-query-order-key",
     "GET",
     "/?Param1=value2&Param1=Value1",
     {},
     "",
     "",
     "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"},
    {"get-vanilla-query-order-key-case",
     "GET",
     "/?Param2=value2&Param1=value1",
     {},
     "",
     "",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get-vanilla-query-order-value",
     "GET",
     "/?Param1=value2&Param1=value1",
     {},
     "",
     "",
     "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"},
    {"get-vanilla-query-unreserved",
     "GET",
     "/?" + kUnreserved + "=" + kUnreserved,
     {},
     "",
     "",
     "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
    {"get-vanilla-utf8-query",
     "GET",
     "/?\xe1\x88\xb4=bar",
     {},
     "",
     "",
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
    {"post-header-key-case", "POST", "/", {}, "", "", kPostVanilla},
    {"post-header-key-sort",
     "POST",
     "/",
     {{"My-Header1", "value1"}},
     "",
     "my-header1",
     "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
    {"post-header-value-case",
     "POST",
     "/",
     {{"My-Header1", "VALUE1"}},
     "",
     "my-header1",
     "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
    {"post-vanilla", "POST", "/", {}, "", "", kPostVanilla},
    {"post-vanilla-empty-query-value", "POST", "/?Param1=value1", {}, "", "", kPostQuery},
    {"post-vanilla-query", "POST", "/?Param1=value1", {}, "", "", kPostQuery},
    {"post-sts-header-after", "POST", "/", {{"X-Amz-Security-Token", "not signed"}}, "", "", kPostVanilla},
    {"post-x-www-form-urlencoded",
     "POST",
     "/",
     {{"Content-Type", "application/x-www-form-urlencoded"}},
     "Param1=value1",
     "content-type",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
    {"post-x-www-form-urlencoded-parameters",
     "POST",
     "/",
     {{"Content-Type", "application/x-www-form-urlencoded; charset=utf8"}},
     "Param1=value1",
     "content-type",
     "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"},
    {"normalize-path/get-relative", "GET", "/example/..", {}, "", "", kVanilla},
    {"normalize-path/get-relative-relative", "GET", "/example1/example2/../..", {}, "", "", kVanilla},
    {"normalize-path/get-slash", "GET", "//", {}, "", "", kVanilla},
    {"normalize-path/get-slash-dot-slash", "GET", "/./", {}, "", "", kVanilla},
    {"normalize-path/get-slash-pointless-dot",
     "GET",
     "/./example",
     {},
     "",
     "",
     "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"},
    {"normalize-path/get-slashes",
     "GET",
     "//example//",
     {},
     "",
     "",
     "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"},
    {"normalize-path/get-space",
     "GET",
     "/example space/",
     {},
     "",
     "",
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
};

Signed RequestOf(const SuiteCase& one) {
  Signed out{one.name, one.method, one.target, one.more_headers, one.body};
  out.headers.emplace_back("Host", "example.amazonaws.com");
  out.headers.emplace_back("X-Amz-Date", std::string(kSuiteTime));
  const std::string before = one.more_signed == "content-type" ? "content-type;" : "";
  const std::string between = one.more_signed.empty() || !before.empty() ? "" : one.more_signed + ";";
  out.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 Credential=" + std::string(kSuiteKey) +
                                                std::string(kSuiteScope) + ", SignedHeaders=" + before +
                                                "host;" + between + "x-amz-date, Signature=" + one.signature);
  return out;
}

protocol::Time At(std::string_view basic) {
  return {*ParseBasicTime(basic) * 1000};
}

std::string CaseName(const testing::TestParamInfo<SuiteCase>& one) {
  std::string name = one.param.name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
}

class SuiteTest : public testing::TestWithParam<SuiteCase> {};

TEST_P(SuiteTest, only_its_published_signature_is_accepted) {
  Signed request = RequestOf(GetParam());
  std::erase_if(request.headers, [](const auto& header) { return header.first == "X-Amz-Security-Token"; });
  const auto read = ReadSignature(request.View(), "service", At(kSuiteTime));
  ASSERT_TRUE(std::holds_alternative<SignatureClaim>(read)) << std::get<SignatureRefusal>(read).message;
  const auto& claim = std::get<SignatureClaim>(read);
  EXPECT_EQ(claim.access_key_id, kSuiteKey);
  const std::string key = DeriveSigningKey(kSuiteSecret, claim.credential);
  EXPECT_EQ(SignatureOf(request.View(), claim, key), GetParam().signature);
  EXPECT_FALSE(CheckSignature(request.View(), claim, key));
  EXPECT_TRUE(CheckSignature(request.View(), claim, DeriveSigningKey("another", claim.credential)));
}
INSTANTIATE_TEST_SUITE_P(Published, SuiteTest, testing::ValuesIn(kSuite), CaseName);

// The example of a derived key in Amazon's description of the algorithm.
TEST(SigningKey, is_derived_as_published) {
  EXPECT_EQ(protocol::Hex(DeriveSigningKey("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                                           "AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request")),
            "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9");
}

// Verifies every request of a file; returns their number.
size_t VerifyAll(const std::string& file) {
  const auto requests = ReadSigned(tests::RepositoryText("tests/accounts/signed/" + file));
  for (const Signed& request : requests) {
    const auto read = ReadSignature(request.View(), kTablesService, At("20261122T120500Z"));
    if (const auto* refusal = std::get_if<SignatureRefusal>(&read)) {
      ADD_FAILURE() << request.name << ": " << refusal->message;
      continue;
    }
    const auto& claim = std::get<SignatureClaim>(read);
    EXPECT_EQ(claim.access_key_id, kSomeKeyId) << request.name;
    EXPECT_FALSE(CheckSignature(request.View(), claim, DeriveSigningKey(kSomeSecret, claim.credential)))
        << request.name;
  }
  return requests.size();
}

TEST(Signers, requests_signed_by_botocore_are_accepted) {
  EXPECT_EQ(VerifyAll("botocore.txt"), 11u);
}

TEST(Signers, requests_signed_by_the_sdk_for_javascript_are_accepted) {
  EXPECT_EQ(VerifyAll("javascript.txt"), 4u);
}

}  // namespace
}  // namespace parley::accounts
