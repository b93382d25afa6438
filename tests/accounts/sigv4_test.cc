// All refusals of signatures in order of precedence, and the protection of each signed part.
#include "accounts/sigv4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/signing_keys.h"
#include "accounts/sigv4_date.h"
#include "tests/accounts/signed_support.h"

namespace parley::accounts {

void PrintTo(SignatureFault fault, std::ostream* out) {
  *out << "fault " << static_cast<int>(fault);
}

namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::StrEq;

const int64_t kNow = *ParseBasicTime("20261122T120000Z");

Signed Plain() {
  return {"", "POST", "/", {{"X-Amz-Target", "DynamoDB_20120810.ListTables"}}, R"({"Limit":3})"};
}
Signed SignedAt(int64_t signed_s) {
  Signed out = Plain();
  SignNow(&out, signed_s);
  return out;
}

// Runs both steps with the key of kSomeKeyId; returns nullopt if the request is accepted.
std::optional<SignatureRefusal> Verify(const Signed& request, int64_t now_s = kNow) {
  const auto read = ReadSignature(request.View(), kTablesService, {now_s * 1000});
  if (const auto* refusal = std::get_if<SignatureRefusal>(&read)) return *refusal;
  const auto& claim = std::get<SignatureClaim>(read);
  return CheckSignature(request.View(), claim, DeriveSigningKey(kSomeSecret, claim.credential));
}
std::optional<SignatureFault> Fault(const Signed& request, int64_t now_s = kNow) {
  const auto refusal = Verify(request, now_s);
  return refusal ? std::optional(refusal->fault) : std::nullopt;
}
std::string Message(const Signed& request, int64_t now_s = kNow) {
  const auto refusal = Verify(request, now_s);
  return refusal ? refusal->message : "";
}

// The request with a changed Authorization header.
Signed WithAuthorization(std::string_view from, std::string_view to) {
  Signed out = SignedAt(kNow);
  std::string& header = *out.Header("authorization");
  header.replace(header.find(from), from.size(), to);
  return out;
}

TEST(Sigv4, a_signed_request_is_accepted) {
  EXPECT_EQ(Fault(SignedAt(kNow)), std::nullopt);
}

TEST(Sigv4, a_request_without_a_signature_is_refused_as_unsigned) {
  EXPECT_EQ(Fault(Plain()), SignatureFault::kMissing);
  for (const char* other : {"", "Bearer x", "AWS AKID:signature", "AWS3-HTTPS x", "aws4-HMAC-SHA256"}) {
    Signed request = Plain();
    request.headers.emplace_back("Authorization", other);
    EXPECT_EQ(Fault(request), SignatureFault::kMissing) << other;
  }
  EXPECT_EQ(Message(Plain()), "Request is missing Authentication Token");
}

TEST(Sigv4, a_signature_in_both_places_is_refused) {
  Signed request = SignedAt(kNow);
  request.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256";
  EXPECT_EQ(Fault(request), SignatureFault::kTwoForms);
  request.target = "/?X%2DAmz-Algorithm";
  EXPECT_EQ(Fault(request), SignatureFault::kTwoForms) << "the name is encoded";
  request.target = "/?a=X-Amz-Algorithm";
  EXPECT_EQ(Fault(request), SignatureFault::kMismatch) << "a value, not a name";
}

TEST(Sigv4, missing_parts_of_the_header_are_named) {
  Signed request = Plain();
  request.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256");
  EXPECT_EQ(Fault(request), SignatureFault::kIncomplete);
  EXPECT_EQ(
      Message(request),
      "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' "
      "parameter. Authorization header requires 'SignedHeaders' parameter. Authorization header requires "
      "existence of either a 'X-Amz-Date' or a 'Date' header. ");
}

TEST(Sigv4, a_malformed_header_is_incomplete) {
  for (const char* to :
       {"Signatur=", "=Signature=", "Credential=x, Signature=", "lonely Signature=", ", Signature "}) {
    EXPECT_EQ(Fault(WithAuthorization("Signature=", to)), SignatureFault::kIncomplete) << to;
  }
  EXPECT_EQ(Fault(WithAuthorization("Signature=", "Signature=" + std::string(kAuthorizationBytesMax, 'a'))),
            SignatureFault::kIncomplete);
}

TEST(Sigv4, commas_and_blanks_are_equal_separators) {
  Signed request = SignedAt(kNow);
  std::string& header = *request.Header("authorization");
  for (size_t at = header.find(", "); at != std::string::npos; at = header.find(", "))
    header.erase(at + 1, 1);
  EXPECT_EQ(Fault(request), std::nullopt) << header;
}

TEST(Sigv4, a_date_in_another_format_is_incomplete) {
  for (const char* date :
       {"", "201", "2026-11-22T12:00:00Z", "20261122T120000", "20261322T120000Z", "20261122T250000Z",
        "20260229T000000Z", "2026112aT120000Z", "Sun, 22 Nov 2026 12:00:00 CET",
        "Mon, 22 Nov 2026 12:00:00 GMT", "Sun, 22 nov 2026 12:00:00 GMT"}) {
    Signed request = SignedAt(kNow);
    *request.Header("x-amz-date") = date;
    EXPECT_EQ(Fault(request), SignatureFault::kIncomplete) << date;
  }
}

TEST(Sigv4, clocks_may_differ_by_fifteen_minutes) {
  EXPECT_EQ(Fault(SignedAt(kNow - 900)), std::nullopt);
  EXPECT_EQ(Fault(SignedAt(kNow + 900)), std::nullopt);
  EXPECT_EQ(Fault(SignedAt(kNow - 901)), SignatureFault::kExpired);
  EXPECT_EQ(Fault(SignedAt(kNow + 901)), SignatureFault::kNotYet);
  EXPECT_EQ(Message(SignedAt(kNow - 901)),
            "Signature expired: 20261122T114459Z is now earlier than 20261122T114500Z (20261122T120000Z - 15 "
            "min.)");
  EXPECT_EQ(
      Message(SignedAt(kNow + 901)),
      "Signature not yet current: 20261122T121501Z is still later than 20261122T121500Z (20261122T120000Z "
      "+ 15 min.)");
}

TEST(Sigv4, a_later_replay_is_refused) {
  const Signed request = SignedAt(kNow);
  EXPECT_EQ(Fault(request, kNow + 900), std::nullopt);
  EXPECT_EQ(Fault(request, kNow + 901), SignatureFault::kExpired);
  Signed redated = request;
  *redated.Header("x-amz-date") = FormatBasicTime(kNow + 901);
  EXPECT_EQ(Fault(redated, kNow + 901), SignatureFault::kMismatch);
}

TEST(Sigv4, host_date_and_target_must_be_signed) {
  const std::string all = "SignedHeaders=host;x-amz-date;x-amz-target";
  const auto with = [&](const std::string& names) {
    return WithAuthorization(all, "SignedHeaders=" + names);
  };
  EXPECT_EQ(Message(with("x-amz-date;x-amz-target")),
            "'Host' must be a 'SignedHeader' in the AWS Authorization.");
  EXPECT_EQ(Message(with("host;x-amz-target")),
            "'X-Amz-Date' must be a 'SignedHeader' in the AWS Authorization.");
  EXPECT_EQ(Message(with("host;x-amz-date")),
            "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.");
  EXPECT_EQ(Fault(with("host;x-amz-date")), SignatureFault::kUnsigned);
  EXPECT_EQ(Fault(with("X-Amz-Target;HOST;x-amz-date;host")), std::nullopt) << "in any order and case";
  EXPECT_EQ(Fault(with("host;x-amz-date;x-amz-target;x-not-there")), SignatureFault::kMismatch);
  for (const char* names : {"", ";", "host;;x-amz-date", "host;x-amz-date;x-amz-target;"})
    EXPECT_EQ(Fault(with(names)), SignatureFault::kIncomplete) << names;
  std::string many = "host;x-amz-date;x-amz-target";
  for (int i = 0; i < 48; ++i) many += ";h" + std::to_string(i);
  EXPECT_EQ(Fault(with(many)), SignatureFault::kIncomplete);
}

TEST(Sigv4, only_one_algorithm_is_accepted) {
  EXPECT_EQ(Fault(WithAuthorization("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA25")), SignatureFault::kBadAlgorithm);
  EXPECT_EQ(Fault(WithAuthorization("AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256")),
            SignatureFault::kBadAlgorithm);
}

TEST(Sigv4, a_credential_has_five_parts) {
  const std::string good = std::string(kSomeKeyId) + "/20261122/eu-central-1/dynamodb/aws4_request";
  for (const std::string& bad : {std::string(), std::string("a/b/c/d"), good + "/x", good + "/",
                                 "/20261122/eu-central-1/dynamodb/aws4_request" + std::string(),
                                 "a%b/20261122/eu-central-1/dynamodb/aws4_request" + std::string(),
                                 std::string(129, 'A') + good.substr(20)}) {
    EXPECT_EQ(Fault(WithAuthorization(good, bad)), SignatureFault::kBadCredential) << bad;
  }
}

TEST(Sigv4, the_scope_must_match_the_request) {
  EXPECT_EQ(Message(WithAuthorization("/20261122/", "/20261121/")),
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP. ");
  EXPECT_EQ(Message(WithAuthorization("/dynamodb/", "/s3/")),
            "Credential should be scoped to correct service: 'dynamodb'. ");
  EXPECT_EQ(Message(WithAuthorization("/aws4_request", "/aws5_request")),
            "Credential should be scoped with a valid terminator: 'aws4_request'. ");
  EXPECT_EQ(Message(WithAuthorization("/eu-central-1/", "//")),
            "Credential should be scoped to a valid region. ");
  EXPECT_EQ(Fault(WithAuthorization("/dynamodb/", "/s3/")), SignatureFault::kBadScope);
  EXPECT_EQ(Fault(WithAuthorization("/eu-central-1/", "/eu-central-2/")), SignatureFault::kMismatch)
      << "any region, but that which was signed";
}

TEST(Sigv4, a_session_token_is_refused) {
  Signed request = Plain();
  request.headers.emplace_back("X-Amz-Security-Token", "AQoDYXdz");
  SignNow(&request, kNow);
  EXPECT_EQ(Fault(request), SignatureFault::kUnknownKey);
  EXPECT_EQ(Message(request), "The security token included in the request is invalid.");
}

TEST(Sigv4, a_changed_byte_in_any_signed_part_is_detected) {
  Signed request = Plain();
  request.target = "/v1/dynamodb?a=1&b";
  request.headers.emplace_back("X-Meta", "x y");
  SignNow(&request, kNow);
  ASSERT_EQ(Fault(request), std::nullopt);
  const auto noticed = [&](auto change) {
    Signed changed = request;
    change(&changed);
    return Fault(changed);
  };
  const auto mismatch = Optional(SignatureFault::kMismatch);
  EXPECT_THAT(noticed([](Signed* r) { r->method = "PUT"; }), mismatch);
  EXPECT_THAT(noticed([](Signed* r) { r->body.back() = ' '; }), mismatch);
  EXPECT_THAT(noticed([](Signed* r) { r->body.clear(); }), mismatch);
  for (size_t i = 1; i < request.target.size(); ++i) {
    if (request.target[i] == '?' || request.target[i] == '&') continue;
    EXPECT_THAT(noticed([&](Signed* r) { r->target[i] = 'z'; }), mismatch) << request.target << " at " << i;
  }
  for (const char* header : {"x-amz-target", "host", "x-meta"}) {
    EXPECT_THAT(noticed([&](Signed* r) { r->Header(header)->back() ^= 1; }), mismatch) << header;
    EXPECT_THAT(noticed([&](Signed* r) { r->headers.emplace_back(header, "more"); }), mismatch) << header;
  }
  const std::string authorization = *request.Header("authorization");
  for (size_t i = authorization.find("Signature="); i < authorization.size(); ++i) {
    EXPECT_TRUE(noticed([&](Signed* r) { (*r->Header("authorization"))[i] ^= 1; })) << i;
  }
  EXPECT_EQ(noticed([](Signed* r) { r->headers.emplace_back("User-Agent", "anything"); }), std::nullopt);
  EXPECT_EQ(noticed([](Signed* r) { *r->Header("x-meta") = "  x \t y "; }), std::nullopt)
      << "blanks are folded";
}

TEST(Sigv4, the_message_of_a_mismatch_is_amazons_and_repeats_no_input) {
  Signed request = SignedAt(kNow);
  request.body = "secret";
  EXPECT_THAT(Message(request),
              testing::AllOf(HasSubstr("The request signature we calculated does not match the signature you "
                                       "provided. Check your AWS Secret Access Key and signing method."),
                             testing::Not(HasSubstr("secret"))));
}

TEST(Sigv4, a_given_digest_must_be_that_of_the_body) {
  const auto with = [](const std::string& digest, bool is_signed) {
    Signed request = Plain();
    if (is_signed) request.headers.emplace_back("X-Amz-Content-Sha256", digest);
    SignNow(&request, kNow);
    if (!is_signed) request.headers.emplace_back("X-Amz-Content-Sha256", digest);
    return request;
  };
  const std::string right = "0e7e9b2a4b1b4d2c";
  EXPECT_EQ(Fault(with(right, true)), SignatureFault::kMismatch);
  EXPECT_EQ(Fault(with("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", true)), SignatureFault::kMismatch);
  for (const bool is_signed : {false, true})
    EXPECT_EQ(Fault(with("UNSIGNED-PAYLOAD", is_signed)), SignatureFault::kMismatch)
        << "another body could be sent with the same signature";
  Signed digest = Plain();
  digest.body = "";
  const std::string of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  digest.headers.emplace_back("X-Amz-Content-Sha256", of_nothing);
  SignNow(&digest, kNow);
  EXPECT_EQ(Fault(digest), std::nullopt);
  digest.body = "{}";
  EXPECT_EQ(Fault(digest), SignatureFault::kMismatch);
}

// --- in the query

// The query up to the signature, then the signature.
Signed SignedInQuery(int64_t signed_s, const std::string& expires, const std::string& names = "host") {
  SignatureClaim claim;
  claim.in_query = true;
  claim.timestamp = FormatBasicTime(signed_s);
  claim.access_key_id = kSomeKeyId;
  claim.credential =
      claim.access_key_id + "/" + claim.timestamp.substr(0, 8) + "/local/dynamodb/aws4_request";
  claim.signed_headers = {"host"};
  Signed out{"", "POST", "", {{"Host", "localhost"}}, "{}"};
  out.target = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + claim.credential +
               "&X-Amz-Date=" + claim.timestamp + expires + "&X-Amz-SignedHeaders=" + names;
  const auto signature = SignatureOf(out.View(), claim, DeriveSigningKey(kSomeSecret, claim.credential));
  out.target += "&X-Amz-Signature=" + signature.value_or("");
  return out;
}

TEST(Sigv4InQuery, it_is_valid_for_its_stated_time) {
  const Signed week = SignedInQuery(kNow, "&X-Amz-Expires=604800");
  EXPECT_EQ(Fault(week), std::nullopt);
  EXPECT_EQ(Fault(week, kNow + 604'800), std::nullopt);
  EXPECT_EQ(Fault(week, kNow + 604'801), SignatureFault::kExpired);
  EXPECT_EQ(Fault(week, kNow - 900), std::nullopt);
  EXPECT_EQ(Fault(week, kNow - 901), SignatureFault::kNotYet);
  EXPECT_EQ(Message(SignedInQuery(kNow - 61, "&X-Amz-Expires=60")),
            "Signature expired: 20261122T115959Z is now earlier than 20261122T120000Z");
}

TEST(Sigv4InQuery, without_a_stated_time_it_is_valid_for_fifteen_minutes) {
  EXPECT_EQ(Fault(SignedInQuery(kNow - 900, "")), std::nullopt);
  EXPECT_EQ(Fault(SignedInQuery(kNow - 901, "")), SignatureFault::kExpired);
}

TEST(Sigv4InQuery, the_stated_time_is_a_number_up_to_a_week) {
  for (const char* expires : {"", "0", "604801", "-1", "1e3", " 1", "9999999", "x"}) {
    EXPECT_EQ(Fault(SignedInQuery(kNow, std::string("&X-Amz-Expires=") + expires)),
              SignatureFault::kIncomplete)
        << expires;
  }
}

TEST(Sigv4InQuery, missing_parts_are_named) {
  Signed request = Plain();
  request.target = "/?X-Amz-Algorithm";
  EXPECT_EQ(Fault(request), SignatureFault::kIncomplete);
  EXPECT_EQ(
      Message(request),
      "AWS query-string parameters must include 'X-Amz-Algorithm'. AWS query-string parameters must include "
      "'X-Amz-Credential'. AWS query-string parameters must include 'X-Amz-Signature'. AWS query-string "
      "parameters must include 'X-Amz-SignedHeaders'. AWS query-string parameters must include 'X-Amz-Date'. "
      "Re-examine the query-string parameters.");
}

TEST(Sigv4InQuery, duplicate_and_unreadable_parts_are_refused) {
  const Signed good = SignedInQuery(kNow, "&X-Amz-Expires=60");
  for (const char* more : {"&X-Amz-Date=20261122T120000Z", "&X-Amz-Expires=60", "&X-Amz-Signature=0"}) {
    Signed request = good;
    request.target += more;
    EXPECT_EQ(Fault(request), SignatureFault::kIncomplete) << more;
  }
  for (const char* broken : {"&%", "&%4", "&%zz", "&a=%4"}) {
    Signed request = good;
    request.target += broken;
    EXPECT_EQ(Fault(request), SignatureFault::kMissing) << broken;
    request.headers.emplace_back("Authorization", "AWS4-HMAC-SHA256 x");
    EXPECT_EQ(Fault(request), SignatureFault::kIncomplete) << broken;
  }
  Signed many = good;
  for (size_t i = 0; i < kQueryParametersMax; ++i) many.target += "&a=" + std::to_string(i);
  EXPECT_EQ(Fault(many), SignatureFault::kMissing);
}

TEST(Sigv4InQuery, a_session_token_is_refused) {
  EXPECT_EQ(Fault(SignedInQuery(kNow, "&X-Amz-Security-Token=x")), SignatureFault::kUnknownKey);
  Signed request = SignedInQuery(kNow, "");
  request.headers.emplace_back("X-Amz-Security-Token", "x");
  EXPECT_EQ(Fault(request), SignatureFault::kUnknownKey);
}

TEST(Sigv4InQuery, host_must_be_signed) {
  EXPECT_EQ(Fault(SignedInQuery(kNow, "", "x-amz-date")), SignatureFault::kUnsigned);
}

TEST(Sigv4InQuery, a_changed_byte_is_detected) {
  const Signed good = SignedInQuery(kNow, "&X-Amz-Expires=60");
  ASSERT_EQ(Fault(good), std::nullopt);
  for (size_t i = 2; i < good.target.size(); ++i) {
    Signed changed = good;
    changed.target[i] = changed.target[i] == '0' ? '1' : '0';
    EXPECT_NE(Fault(changed), std::nullopt) << i;
  }
  Signed other = good;
  other.body = "{ }";
  EXPECT_EQ(Fault(other), SignatureFault::kMismatch);
}

// --- times

TEST(Sigv4Time, is_parsed_and_printed_alike) {
  for (const int64_t unix_s : {int64_t{0}, int64_t{951'782'400}, kNow, int64_t{253'402'300'799}}) {
    EXPECT_EQ(ParseBasicTime(FormatBasicTime(unix_s)), unix_s);
  }
  EXPECT_EQ(FormatBasicTime(951'782'400), "20000229T000000Z");
  EXPECT_EQ(ParseHttpDate("Sun, 22 Nov 2026 12:00:00 GMT"), kNow);
  EXPECT_EQ(ParseHttpDate("Sun, 22 Nov 2026 12:00:00 -0000"), kNow);
  EXPECT_EQ(ParseHttpDate("Sun, 22 Nov 2026 12:00:00"), std::nullopt);
  EXPECT_EQ(ParseHttpDate("Sun"), std::nullopt);
}

// --- derived keys

TEST(SigningKeys, are_cached) {
  SigningKeys keys;
  EXPECT_EQ(keys.Find("a"), std::nullopt);
  keys.Add("a", "key");
  EXPECT_EQ(keys.Find("a"), "key");
}

TEST(SigningKeys, are_bounded_and_the_most_recently_used_stay) {
  SigningKeys keys;
  keys.Add("used", "key");
  for (size_t i = 0; i < 10 * SigningKeys::kGeneration; ++i) {
    keys.Add("n" + std::to_string(i), "x");
    EXPECT_EQ(keys.Find("used"), "key");
  }
  EXPECT_LE(keys.size(), 2 * SigningKeys::kGeneration);
  EXPECT_EQ(keys.Find("n0"), std::nullopt);
}

}  // namespace
}  // namespace parley::accounts
