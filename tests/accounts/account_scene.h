// The decisions of accounts on the real table engine, each in a turn of its own, and reads of what came of
// them.
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

// "ok", or the error's name, with its fields: "BAD_REQUEST email".
std::string TextOf(const protocol::Error& error);
template <class T>
std::string TextOf(const protocol::Result<T>& result) {
  return result.ok() ? "ok" : TextOf(result.error());
}

protocol::UserId UserNamed(std::string_view id);
// Bodies of requests; a test whose text does not bind ends.
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
  // `n` decisions, all in one turn of the writer.
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
  // "-" where there is none.
  std::string Show(const std::string& user);
  std::optional<User> Find(const std::string& user);
  NewSecret Secret(std::string_view prefix);

  storage::ItemScene scene;
  protocol::TenantId tenant{"acme"};
  uint64_t seed = 1;  // of what is random
};

}  // namespace parley::accounts
