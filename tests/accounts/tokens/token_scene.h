// Families of tokens as a test drives them.
#pragma once

#include <string>
#include <vector>

#include "accounts/tokens/access_token.h"
#include "accounts/tokens/refresh_token.h"
#include "tests/accounts/account_scene.h"

namespace parley::accounts {

class TokenScene : public AccountScene {
 public:
  using AccountScene::AccountScene;
  struct Device {
    Grant grant;
    std::string secret;  // of its refresh token
    std::vector<SessionsToEnd> ends;
  };
  // A secret of the form of a refresh token's whose slow hash nobody asks for.
  NewSecret Cheap();
  protocol::Result<Device> TrySignIn(const SignIn& asked);
  Device SignInAs(const std::string& user);
  protocol::Result<FoundRefreshToken> Find(const std::string& secret);
  // What comes of using a refresh token: "ok" and *device is what it got, or the error's name.
  std::string Renew(Device* device, std::optional<SessionsToEnd>* ends = nullptr);
  std::string Revoke(const std::string& secret);
  void Void(const std::string& user);
  // What the store says of the device's access token: "ann member", or the error's name.
  std::string Judge(const Device& device);
  std::string JudgeClaims(const Claims& claims);
  size_t CountRows();

  static const std::string kSigningSecret;
  int64_t grace_seconds = 0;  // of renewals; what they answer is the next secret
};

}  // namespace parley::accounts
