// Families of tokens.
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
    std::string secret;  // its refresh token
    std::vector<SessionsToEnd> ends;
  };
  // A secret in the format of a refresh token, without the slow hash.
  NewSecret Cheap();
  protocol::Result<Device> TrySignIn(const SignIn& asked);
  Device SignInAs(const std::string& user);
  protocol::Result<FoundRefreshToken> Find(const std::string& secret);
  // Uses the refresh token: returns "ok" and updates *device, or returns the error's name.
  std::string Renew(Device* device, std::optional<SessionsToEnd>* ends = nullptr);
  std::string Revoke(const std::string& secret);
  void Void(const std::string& user);
  // The store's verdict on the device's access token: "ann member", or the error's name.
  std::string Judge(const Device& device);
  std::string JudgeClaims(const Claims& claims);
  size_t CountRows();

  static const std::string kSigningSecret;
  int64_t grace_seconds = 0;  // how long a refresh can be repeated; its answer contains the next secret
};

}  // namespace parley::accounts
