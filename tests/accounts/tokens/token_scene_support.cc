#include "tests/accounts/tokens/token_scene.h"

namespace parley::accounts {

const std::string TokenScene::kSigningSecret(kHs256SecretBytesMin, 's');

NewSecret TokenScene::Cheap() {
  static const NewSecret kReal = TokenScene().Secret(kRefreshTokenPrefix);
  NewSecret out = kReal;
  const std::string digits = std::to_string(++seed);
  out.id += "-" + std::string(8 - digits.size(), '0') + digits;
  out.secret.replace(out.secret.size() - digits.size(), digits.size(), digits);
  out.lookup_hash = LookupHashOf(out.secret);
  return out;
}

protocol::Result<TokenScene::Device> TokenScene::TrySignIn(const SignIn& asked) {
  const NewSecret secret = Cheap();
  auto done =
      Decide<SignedIn>([&](RecordTransaction& records) { return IssueTokens(records, asked, secret); });
  if (!done.ok()) return std::move(done.error());
  return Device{std::move(done->grant), secret.secret, std::move(done->ends)};
}

TokenScene::Device TokenScene::SignInAs(const std::string& user) {
  SignIn asked;
  asked.user = UserNamed(user);
  return *TrySignIn(asked);
}

protocol::Result<FoundRefreshToken> TokenScene::Find(const std::string& secret) {
  return FindRefreshToken(scene.table(), secret, scene.clock.Now(), kSealing);
}

std::string TokenScene::Renew(Device* device, std::optional<SessionsToEnd>* ends) {
  const auto found = Find(device->secret);
  if (!found.ok()) return TextOf(found);
  const NewSecret next = Cheap();
  const RenewalTerms terms{grace_seconds, [&](const Grant&, protocol::Time) { return next.secret; }};
  const auto renewed =
      Decide<Renewal>([&](RecordTransaction& records) { return RenewTokens(records, *found, next, terms); });
  if (!renewed.ok()) return TextOf(renewed);
  if (ends) *ends = renewed->ends;
  if (!renewed->answer) return TextOf(Unauthenticated());
  device->secret = *renewed->answer;
  if (!renewed->grant) return "again";
  device->grant = *renewed->grant;
  return "ok";
}

std::string TokenScene::Revoke(const std::string& secret) {
  const auto found = Find(secret);
  if (!found.ok()) return TextOf(found);
  const auto done = Decide<std::optional<SessionsToEnd>>(
      [&](RecordTransaction& records) { return RevokeTokens(records, *found); });
  if (!done.ok()) return TextOf(done);
  return *done ? "ended" : "was void";
}

void TokenScene::Void(const std::string& user) {
  EXPECT_TRUE(Decide<SessionsToEnd>([&](RecordTransaction& records) {
                return VoidTokens(records, UserNamed(user));
              }).ok());
}

std::string TokenScene::JudgeClaims(const Claims& claims) {
  const auto judged = JudgeToken(Reads(), claims);
  if (!judged.ok()) return TextOf(judged);
  return judged->user.ToText() + " " + std::string(protocol::NameOf(judged->role));
}

std::string TokenScene::Judge(const Device& device) {
  const auto token = MintAccessToken(device.grant, tenant, scene.clock.Now(), kSigningSecret, "k1");
  const std::vector<VerifyKey> keys = {{JwtAlg::kHs256, kSigningSecret, "k1"}};
  const auto claims = VerifyToken(token.token, keys, scene.clock.now_ms / 1000);
  if (!std::holds_alternative<Claims>(claims)) return std::string(Describe(std::get<TokenFault>(claims)));
  return JudgeClaims(std::get<Claims>(claims));
}

size_t TokenScene::CountRows() {
  size_t rows = 0;
  RecordReads::Ask ask;
  ask.table = "user-refresh-token";
  EXPECT_TRUE(Reads()
                  .ForEach(ask,
                           [&](const Item&) {
                             ++rows;
                             return true;
                           })
                  .ok());
  return rows;
}

}  // namespace parley::accounts
