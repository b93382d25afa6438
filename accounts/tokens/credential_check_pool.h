// Runs slow hashes on threads of their own. The number of running hashes is bounded, because each takes some
// 50 ms and 16 MiB, and so is the number of waiting ones, in total and per tenant; tenants take turns. A
// recently proven secret is remembered, and concurrent proofs of one secret run once, so that a key that is
// used with every request costs one hash in some minutes. Whether the key still exists is not remembered: the
// caller reads its record every time.
//
// Thread contract: any thread. Jobs and callbacks run on a thread of the pool, or on the caller's if the
// answer is known; a callback posts to its thread, and must not block. Every job gets an answer, UNAVAILABLE
// once the pool stops. A test without threads calls Step itself.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "accounts/users/secret.h"
#include "protocol/base/clock.h"
#include "protocol/base/fair_queue.h"
#include "protocol/base/mutex.h"
#include "protocol/base/result.h"

namespace parley::accounts {

class CredentialCheckPool {
 public:
  struct Settings {
    size_t threads = 1;
    size_t waiting_max = 400;  // half of them for one owner alone
  };
  explicit CredentialCheckPool(Settings settings);
  ~CredentialCheckPool();  // stops
  CredentialCheckPool(const CredentialCheckPool&) = delete;
  CredentialCheckPool& operator=(const CredentialCheckPool&) = delete;

  // Runs `work` on a thread of the pool, then `then` with Ok; or `then` with UNAVAILABLE, without `work`, if
  // too many wait or the pool stops. `owner`: any name of the tenant; an owner's jobs wait for each other
  // only.
  void Submit(std::string_view owner, std::function<void()> work, std::function<void(protocol::Status)> then);
  // Adds threads.
  void Start(size_t threads);
  // Runs the next job on the caller's thread. Returns false if the queue is empty.
  bool Step();
  // Finishes running jobs, and rejects waiting ones.
  void Stop();
  size_t waiting() const;

 private:
  struct Job {
    std::function<void()> work;
    std::function<void(protocol::Status)> then;
  };
  void Run();
  static void Do(const Job& job);
  std::optional<Job> Next();

  const Settings settings_;
  mutable protocol::Mutex mutex_;
  protocol::CondVar wake_;
  protocol::FairQueue<Job> queue_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

// Recently proven secrets with their proofs, under a keyed hash, so that the secrets themselves are not in
// memory. Bounded; evicts the oldest.
class ProvenSecrets {
 public:
  struct Settings {
    size_t entries_max = 10'000;
    int64_t keep_ms = 5 * 60'000;
  };
  // `process_key`: random, for this process.
  ProvenSecrets(Settings settings, std::string process_key);
  bool Knows(std::string_view secret, const SecretProof& proof, int64_t now_ms) const;
  void Remember(std::string_view secret, const SecretProof& proof, int64_t now_ms);
  size_t size() const;

 private:
  struct Entry {
    std::string proof;
    int64_t until_ms = 0;
  };
  std::string NameOf(std::string_view secret) const;

  const Settings settings_;
  const std::string process_key_;
  mutable protocol::Mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_ GUARDED_BY(mutex_);
  std::deque<std::string> order_ GUARDED_BY(mutex_);
};

// Combines both: checks whether a secret matches its record.
class SecretProver {
 public:
  using Then = std::function<void(protocol::Result<bool>)>;
  // The arguments must outlive this, and this must outlive the pool's threads: Stop the pool first.
  SecretProver(CredentialCheckPool& pool, ProvenSecrets& proven, const protocol::Clock& clock)
      : pool_(pool), proven_(proven), clock_(clock) {}
  void Prove(std::string_view owner, std::string_view secret, const SecretProof& proof, Then then);

 private:
  void Answer(const std::string& name, const protocol::Result<bool>& answer);

  CredentialCheckPool& pool_;
  ProvenSecrets& proven_;
  const protocol::Clock& clock_;
  protocol::Mutex mutex_;
  std::map<std::string, std::vector<Then>> asked_ GUARDED_BY(mutex_);  // callbacks of running proofs
};

}  // namespace parley::accounts
