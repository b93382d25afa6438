#include "tests/accounts/account_scene.h"

#include <cstdlib>

#include "protocol/base/crypto.h"
#include "tests/storage/memory_sealer.h"

namespace parley::accounts {

const storage::Sealer AccountScene::kSealing = storage::SealerInMemory("scene");

namespace {

template <class T>
T Bound(const std::string& json) {
  protocol::Document document;
  T out;
  if (protocol::DecodeJson(json, {}, &document) || !protocol::Bind(document.root, &out).ok()) {
    ADD_FAILURE() << json;
    std::abort();
  }
  return out;
}

}  // namespace

std::string TextOf(const protocol::Error& error) {
  std::string text(Describe(error.code).name);
  for (const auto& [name, what] : error.fields) text += " " + name;
  return text;
}

protocol::UserId UserNamed(std::string_view id) {
  return *protocol::UserId::FromText(id);
}

UserChange ChangeFrom(const std::string& json) {
  return Bound<UserChange>(json);
}
NewUser NewUserFrom(const std::string& json) {
  return Bound<NewUser>(json);
}

std::string TextOf(const User& user) {
  return protocol::MsgpackToJson(EncodeUser(user));
}

std::string AccountScene::Make(const std::string& json, const Editor& by) {
  const auto made = Decide<User>([&](RecordTransaction& records) {
    return MakeUser(records, by, NewUserFrom(json), *protocol::Ulid::FromBytes("0123456789abcdef"));
  });
  return made.ok() ? made->id.ToText() : TextOf(made);
}

std::string AccountScene::Change(const std::string& user, const std::string& json, const Editor& by) {
  return TextOf(Decide<ChangedUser>([&](RecordTransaction& records) {
    return ChangeUser(records, by, UserNamed(user), ChangeFrom(json));
  }));
}

std::string AccountScene::Delete(const std::string& user, const Editor& by) {
  return TextOf(Decide<SessionsToEnd>(
      [&](RecordTransaction& records) { return DeleteUser(records, by, UserNamed(user)); }));
}

std::optional<User> AccountScene::Find(const std::string& user) {
  auto found = FindUser(Reads(), UserNamed(user));
  EXPECT_TRUE(found.ok());
  return found.ok() ? *std::move(found) : std::nullopt;
}

std::string AccountScene::Show(const std::string& user) {
  const auto found = Find(user);
  return found ? TextOf(*found) : "-";
}

NewSecret AccountScene::Secret(std::string_view prefix) {
  const RandomSource random = [this](size_t size) {
    std::string out;
    while (out.size() < size) out += protocol::Sha256("secret " + std::to_string(++seed));
    return out.substr(0, size);
  };
  return PrepareSecret(prefix, scene.clock.Now(), random);
}

}  // namespace parley::accounts
