// Decisions of accounts on the real table engine, each in its own batch, and reads of their results.
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accounts/records/records.h"
#include "accounts/users/api_key.h"
#include "accounts/users/secret.h"
#include "accounts/users/user_changes.h"
#include "accounts/users/user_reads.h"
#include "accounts/users/user_standing.h"
#include "protocol/schema.h"
#include "storage/declarations/load.h"
#include "storage/engine/service_rules.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::accounts {

// Returns "ok", or the error's name with its fields: "BAD_REQUEST email".
std::string TextOf(const protocol::Error& error);
template <class T>
std::string TextOf(const protocol::Result<T>& result) {
  return result.ok() ? "ok" : TextOf(result.error());
}

protocol::UserId UserNamed(std::string_view id);
// Parses a request's body; fails the test if the text does not bind.
UserChange ChangeFrom(const std::string& json);
NewUser NewUserFrom(const std::string& json);
std::string TextOf(const User& user);  // the reply, as JSON

class AccountScene {
 public:
  static const storage::Sealer kSealing;

  AccountScene() : AccountScene(storage::MakeStore("memory")) {}
  explicit AccountScene(std::unique_ptr<storage::StoreUnderTest> store)
      : scene(std::move(store), storage::SeedTables()) {}

  template <class T>
  protocol::Result<T> Decide(const std::function<protocol::Result<T>(RecordTransaction&)>& decide) {
    std::optional<protocol::Result<T>> out;
    const std::string said = scene.Decide([&](storage::ItemTransaction& tx) -> storage::MaybeFault {
      RecordTransaction records(tx, tenant);
      out = decide(records);
      return {};
    });
    EXPECT_EQ(said, "ok");
    return *std::move(out);
  }
  // Makes `n` decisions in one batch of the writer.
  template <class T>
  std::vector<protocol::Result<T>> DecideTogether(
      size_t n, const std::function<protocol::Result<T>(RecordTransaction&, size_t)>& decide) {
    std::vector<std::optional<protocol::Result<T>>> out(n);
    std::vector<std::string> answers(n);
    for (size_t i = 0; i < n; ++i) {
      scene.Submit(
          [&, i](storage::ItemTransaction& tx) -> storage::MaybeFault {
            RecordTransaction records(tx, tenant);
            out[i] = decide(records, i);
            return {};
          },
          &answers[i]);
    }
    EXPECT_TRUE(scene.writer().Step());
    std::vector<protocol::Result<T>> results;
    for (auto& one : out) results.push_back(*std::move(one));
    return results;
  }
  RecordReads Reads() { return {scene.table(), tenant, scene.clock.Now(), kSealing}; }

  std::string Make(const std::string& json, const Editor& by = {});
  std::string Change(const std::string& user, const std::string& json, const Editor& by = {});
  std::string Delete(const std::string& user, const Editor& by = {});
  // Returns "-" if the user does not exist.
  std::string Show(const std::string& user);
  std::optional<User> Find(const std::string& user);
  NewSecret Secret(std::string_view prefix);

  storage::ItemScene scene;
  protocol::TenantId tenant{"acme"};
  uint64_t seed = 1;  // for the random numbers
};

}  // namespace parley::accounts
