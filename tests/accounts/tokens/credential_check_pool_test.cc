#include "accounts/tokens/credential_check_pool.h"

#include <gmock/gmock.h>

#include <future>

#include "tests/accounts/account_scene.h"

namespace parley::accounts {
namespace {

using testing::ElementsAre;

// Blocks until Open is called.
class Gate {
 public:
  void Pass() { opened_.get_future().wait(); }
  void Open() { opened_.set_value(); }

 private:
  std::promise<void> opened_;
};

struct Outcome {
  std::promise<std::string> promise;
  std::future<std::string> future = promise.get_future();
  std::function<void(protocol::Status)> Taker() {
    return [this](const protocol::Status& status) { promise.set_value(TextOf(status)); };
  }
};

TEST(CredentialCheckPool, runs_submitted_checks_and_refuses_more_than_may_wait) {
  CredentialCheckPool pool({1, 4});  // one owner may have half of them
  Gate gate;
  std::promise<void> running;
  Outcome first, second, third, fourth;
  pool.Submit(
      "a",
      [&] {
        running.set_value();
        gate.Pass();
      },
      first.Taker());
  running.get_future().wait();
  int done = 0;
  pool.Submit(
      "a", [&] { ++done; }, second.Taker());
  pool.Submit(
      "a", [&] { ++done; }, third.Taker());
  EXPECT_EQ(pool.waiting(), 2u);
  pool.Submit(
      "a", [&] { done = 100; }, fourth.Taker());
  EXPECT_EQ(fourth.future.get(), "UNAVAILABLE");
  gate.Open();
  EXPECT_EQ(first.future.get(), "ok");
  EXPECT_EQ(second.future.get(), "ok");
  EXPECT_EQ(third.future.get(), "ok");
  EXPECT_EQ(done, 2);
}

TEST(CredentialCheckPool, without_threads_the_caller_of_step_does_the_work) {
  CredentialCheckPool pool({.threads = 0});
  std::string done;
  for (const char* name : {"a", "b"})
    pool.Submit(
        "a", [&done, name] { done += name; },
        [&done](const protocol::Status& status) { done += status.ok() ? "+" : "-"; });
  EXPECT_EQ(done, "");
  EXPECT_TRUE(pool.Step());
  EXPECT_EQ(done, "a+") << "the one that waits longest";
  pool.Stop();
  EXPECT_EQ(done, "a+-");
  EXPECT_FALSE(pool.Step());
}

TEST(CredentialCheckPool, one_tenant_does_not_crowd_out_another_and_they_take_turns) {
  CredentialCheckPool pool({.threads = 0});
  std::string done;
  int refused = 0;
  const auto submit = [&](const std::string& owner) {
    pool.Submit(
        owner, [&done, owner] { done += owner; },
        [&refused](const protocol::Status& status) { refused += status.ok() ? 0 : 1; });
  };
  for (int i = 0; i < 230; ++i) submit("a");
  EXPECT_EQ(refused, 30);
  for (int i = 0; i < 6; ++i) submit("b");
  EXPECT_EQ(refused, 30) << "of the other none";
  for (int turn = 0; turn < 12; ++turn) EXPECT_TRUE(pool.Step());
  EXPECT_EQ(done, "abababababab");
}

TEST(CredentialCheckPool, runs_as_many_at_once_as_it_has_threads) {
  CredentialCheckPool pool({2, 10});
  std::promise<void> one_runs, other_runs;
  Outcome one, other;
  // Each waits for the other: with one thread neither would finish.
  pool.Submit(
      "a",
      [&] {
        one_runs.set_value();
        other_runs.get_future().wait();
      },
      one.Taker());
  pool.Submit(
      "a",
      [&] {
        other_runs.set_value();
        one_runs.get_future().wait();
      },
      other.Taker());
  EXPECT_EQ(one.future.get(), "ok");
  EXPECT_EQ(other.future.get(), "ok");
}

TEST(CredentialCheckPool, waiting_checks_are_refused_when_it_stops) {
  auto pool = std::make_unique<CredentialCheckPool>(CredentialCheckPool::Settings{1, 10});
  Gate gate;
  std::promise<void> running;
  Outcome first, second, late;
  pool->Submit(
      "a",
      [&] {
        running.set_value();
        gate.Pass();
      },
      first.Taker());
  running.get_future().wait();
  bool ran = false;
  pool->Submit(
      "a", [&] { ran = true; },
      [&](const protocol::Status& status) {
        second.promise.set_value(TextOf(status));
        gate.Open();  // only the refusal unblocks the first one
      });
  pool->Stop();
  EXPECT_EQ(first.future.get(), "ok");
  EXPECT_EQ(second.future.get(), "UNAVAILABLE");
  EXPECT_FALSE(ran);
  pool->Submit(
      "a", [&] { ran = true; }, late.Taker());
  EXPECT_EQ(late.future.get(), "UNAVAILABLE");
}

TEST(ProvenSecrets, are_remembered_for_a_while_together_with_their_hash) {
  ProvenSecrets proven({10, 1000}, "key");
  proven.Remember("a", {"s", "proof"}, 0);
  EXPECT_TRUE(proven.Knows("a", {"s", "proof"}, 999));
  EXPECT_FALSE(proven.Knows("a", {"s", "proof"}, 1000));
  EXPECT_FALSE(proven.Knows("a", {"s", "other"}, 0));
  EXPECT_FALSE(proven.Knows("b", {"s", "proof"}, 0));
  proven.Remember("a", {"s", "other"}, 500);
  EXPECT_TRUE(proven.Knows("a", {"s", "other"}, 1499));
  EXPECT_EQ(proven.size(), 1u);
}

TEST(ProvenSecrets, are_bounded_and_the_oldest_is_evicted) {
  ProvenSecrets proven({3, 1000}, "key");
  for (const char* secret : {"a", "b", "c", "d"}) proven.Remember(secret, {"s", "p"}, 0);
  EXPECT_EQ(proven.size(), 3u);
  EXPECT_FALSE(proven.Knows("a", {"s", "p"}, 0));
  EXPECT_TRUE(proven.Knows("b", {"s", "p"}, 0) && proven.Knows("d", {"s", "p"}, 0));
}

class SecretProverTest : public testing::Test {
 protected:
  std::future<std::string> Prove(const std::string& secret, const SecretProof& proof) {
    auto promise = std::make_shared<std::promise<std::string>>();
    prover_.Prove("a", secret, proof, [promise](const protocol::Result<bool>& proves) {
      promise->set_value(proves.ok() ? (*proves ? "proven" : "wrong") : TextOf(proves));
    });
    return promise->get_future();
  }

  AccountScene world_;
  const NewSecret secret_ = world_.Secret(kApiKeyPrefix);
  ProvenSecrets proven_{{100, 1000}, "key"};
  CredentialCheckPool pool_{{1, 1}};
  SecretProver prover_{pool_, proven_, world_.scene.clock};
};

TEST_F(SecretProverTest, checks_a_secret_once_for_all_callers) {
  Gate gate;
  std::promise<void> running;
  pool_.Submit(
      "a",
      [&] {
        running.set_value();
        gate.Pass();
      },
      [](const protocol::Status&) {});
  running.get_future().wait();
  // More than may wait, but all are answered, because they share one check.
  std::vector<std::future<std::string>> asked;
  for (int i = 0; i < 200; ++i) asked.push_back(Prove(secret_.secret, secret_.proof));
  EXPECT_EQ(pool_.waiting(), 1u);
  EXPECT_EQ(Prove("pak_other", secret_.proof).get(), "UNAVAILABLE");
  gate.Open();
  for (auto& one : asked) EXPECT_EQ(one.get(), "proven");
  pool_.Stop();  // a remembered secret needs no thread
  EXPECT_EQ(Prove(secret_.secret, secret_.proof).get(), "proven");
  EXPECT_EQ(Prove(secret_.secret, {secret_.proof.salt, "other"}).get(), "UNAVAILABLE");
  world_.scene.clock.Advance(1000);
  EXPECT_EQ(Prove(secret_.secret, secret_.proof).get(), "UNAVAILABLE");
}

TEST_F(SecretProverTest, a_wrong_secret_fails_every_time) {
  std::string other = secret_.secret;
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_EQ(Prove(other, secret_.proof).get(), "wrong");
  EXPECT_EQ(Prove(other, secret_.proof).get(), "wrong");
  EXPECT_EQ(proven_.size(), 0u);
  EXPECT_EQ(Prove(other, {"***", secret_.proof.proof}).get(), "wrong");
}

}  // namespace
}  // namespace parley::accounts
