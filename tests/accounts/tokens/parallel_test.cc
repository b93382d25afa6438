// Concurrent use on real threads, like in the server: slow hashes on a pool, decisions on the writer's
// thread, reads on any thread.
#include <future>
#include <mutex>
#include <thread>

#include "accounts/tokens/credential_check_pool.h"
#include "protocol/base/crypto.h"
#include "tests/accounts/tokens/token_scene.h"

namespace parley::accounts {
namespace {

class ParallelTest : public testing::Test {
 protected:
  // Runs it on the writer's thread and waits.
  template <class T>
  protocol::Result<T> Decide(const std::function<protocol::Result<T>(RecordTransaction&)>& decide) {
    std::promise<void> done;
    std::optional<protocol::Result<T>> out;
    storage::ItemJob job;
    job.decide = [&](storage::ItemTransaction& tx) {
      RecordTransaction records(tx, protocol::TenantId{"acme"});
      out = decide(records);
    };
    job.done = [&](const storage::Status& status) {
      EXPECT_TRUE(status.ok());
      done.set_value();
    };
    EXPECT_TRUE(world_.scene.writer().Submit(job));
    done.get_future().wait();
    return *std::move(out);
  }
  bool Prove(const std::string& secret, const SecretProof& proof) {
    std::promise<bool> proves;
    prover_.Prove("a", secret, proof,
                  [&](const protocol::Result<bool>& answer) { proves.set_value(answer.ok() && *answer); });
    return proves.get_future().get();
  }
  NewSecret Prepare(std::string_view prefix) {
    NewSecret out;
    std::promise<void> done;
    const RandomSource random = [](size_t size) { return protocol::RandomBytes(size); };
    pool_.Submit(
        "a", [&] { out = PrepareSecret(prefix, world_.scene.clock.Now(), random); },
        [&](const protocol::Status& status) {
          EXPECT_TRUE(status.ok());
          done.set_value();
        });
    done.get_future().wait();
    return out;
  }
  // A whole authentication: from the secret to its user.
  std::string Authenticate(const std::string& secret) {
    const auto now = world_.scene.clock.Now();
    const auto found = FindApiKey(world_.scene.table(), secret, now, AccountScene::kSealing);
    if (!found.ok()) return TextOf(found);
    if (!Prove(secret, found->key.proof)) return "not proven";
    const RecordReads reads(world_.scene.table(), found->tenant, now, AccountScene::kSealing);
    const auto judged = JudgeApiKey(reads, found->key.user, found->key.id);
    if (!judged.ok()) return TextOf(judged);
    if (IsUseDue(found->key, now)) {
      const auto noted = Decide<protocol::Unit>(
          [&](RecordTransaction& records) { return NoteApiKeyUse(records, found->key.user, found->key.id); });
      EXPECT_TRUE(noted.ok());
    }
    return judged->user.ToText();
  }
  std::string Renew(const std::string& secret, std::string* next_secret) {
    const auto found =
        FindRefreshToken(world_.scene.table(), secret, world_.scene.clock.Now(), AccountScene::kSealing);
    if (!found.ok()) return TextOf(found);
    if (!Prove(secret, found->proof)) return "not proven";
    const NewSecret next = Prepare(kRefreshTokenPrefix);
    const auto renewed =
        Decide<Renewal>([&](RecordTransaction& records) { return RenewTokens(records, *found, next); });
    if (!renewed.ok() || !renewed->grant) return "UNAUTHENTICATED";
    *next_secret = next.secret;
    return "renewed";
  }
  // Starts `n` threads together; returns how often each result occurred.
  std::map<std::string, int> AtOnce(int n, const std::function<std::string()>& ask) {
    std::promise<void> start;
    const std::shared_future<void> started = start.get_future().share();
    std::vector<std::future<std::string>> asked;
    for (int i = 0; i < n; ++i) {
      asked.push_back(std::async(std::launch::async, [&] {
        started.wait();
        return ask();
      }));
    }
    start.set_value();
    std::map<std::string, int> said;
    for (auto& one : asked) ++said[one.get()];
    return said;
  }

  TokenScene world_;
  ProvenSecrets proven_{{}, "process"};
  CredentialCheckPool pool_{{2, 100}};
  SecretProver prover_{pool_, proven_, world_.scene.clock};

 private:
  // The last member, so that it is destroyed first.
  struct Writer {
    explicit Writer(storage::ItemWriter& writer) : writer_(writer), thread_([&] { writer_.Run(); }) {}
    ~Writer() {
      writer_.Stop();
      thread_.join();
    }
    storage::ItemWriter& writer_;
    std::thread thread_;
  } writing_{world_.scene.writer()};
};

TEST_F(ParallelTest, HM_20_200_concurrent_authentications_succeed_and_a_deleted_key_is_refused_next) {
  const NewSecret secret = Prepare(kApiKeyPrefix);
  const auto ann = UserNamed("ann");
  ASSERT_TRUE(
      Decide<ApiKey>([&](RecordTransaction& records) { return MakeApiKey(records, ann, {}, secret); }).ok());
  EXPECT_EQ(AtOnce(200, [&] { return Authenticate(secret.secret); }),
            (std::map<std::string, int>{{"ann", 200}}));
  EXPECT_TRUE(ListApiKeys(world_.Reads(), ann)->at(0).last_used_at);
  ASSERT_TRUE(Decide<SessionsToEnd>([&](RecordTransaction& records) {
                return DeleteApiKey(records, ann, secret.id);
              }).ok());
  EXPECT_EQ(AtOnce(20, [&] { return Authenticate(secret.secret); }),
            (std::map<std::string, int>{{"UNAUTHENTICATED", 20}}));
}

TEST_F(ParallelTest, HM_21_of_20_concurrent_refreshes_one_succeeds_and_then_the_family_is_void) {
  const NewSecret first = Prepare(kRefreshTokenPrefix);
  SignIn asked;
  asked.user = UserNamed("ann");
  const auto signed_in =
      Decide<SignedIn>([&](RecordTransaction& records) { return IssueTokens(records, asked, first); });
  ASSERT_TRUE(signed_in.ok());
  std::mutex mutex;
  std::string winner;
  const auto said = AtOnce(20, [&] {
    std::string next;
    std::string text = Renew(first.secret, &next);
    const std::lock_guard lock(mutex);
    if (!next.empty()) winner = next;
    return text;
  });
  EXPECT_EQ(said, (std::map<std::string, int>{{"renewed", 1}, {"UNAUTHENTICATED", 19}}));
  std::string next;
  EXPECT_EQ(Renew(winner, &next), "UNAUTHENTICATED");
  const UserStanding standing = *FindStanding(world_.Reads(), asked.user);
  EXPECT_FALSE(*FindLiveFamily(world_.Reads(), asked.user, signed_in->grant.family_id, standing));
}

}  // namespace
}  // namespace parley::accounts
