// Slow hashes on threads of their own: how many run at once is bounded, since each takes some 50 ms and 16
// MiB, and so is how many wait, of all together and of each tenant; tenants have their turns one after
// another. A secret that was proven a moment ago is remembered, and one that is just being proven is proven
// once for all who ask, so that a key which is used with every request costs one hash in some minutes. That a
// key still exists is not remembered: whoever asks reads its record every time.
//
// Thread contract: any thread. What is submitted, and what is called back, runs on a thread of the pool, or
// on the caller's where the answer is known; it posts to whoever waits, and does not block. Everything
// submitted is answered, UNAVAILABLE once the pool stops. A test without threads calls Step itself.
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

class SlowProofs {
 public:
  struct Settings {
    size_t threads = 1;
    size_t waiting_max = 400;  // half of them for one owner alone
  };
  explicit SlowProofs(Settings settings);
  ~SlowProofs();  // stops
  SlowProofs(const SlowProofs&) = delete;
  SlowProofs& operator=(const SlowProofs&) = delete;

  // `work` on a thread of the pool, then `then`: Ok, or UNAVAILABLE without `work`: too many wait, or it
  // stops. `owner`: the tenant that it is for, by any name; each waits behind their own.
  void Submit(std::string_view owner, std::function<void()> work, std::function<void(protocol::Status)> then);
  // So many threads more.
  void Start(size_t threads);
  // The one whose turn it is, on the caller's thread. False: nothing waits.
  bool Step();
  // Finishes what runs, and refuses what waits.
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

// What was proven lately: under a keyed hash of the secret, so that the secret itself is not in memory, what
// it was proven against. Bounded; the oldest goes.
class ProvenSecrets {
 public:
  struct Settings {
    size_t entries_max = 10'000;
    int64_t keep_ms = 5 * 60'000;
  };
  // `process_key`: random, of this process.
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

// Both together: whether a secret is the one that a record was made of.
class SecretProver {
 public:
  using Then = std::function<void(protocol::Result<bool>)>;
  // What is given outlives this, and this outlives the pool's threads: Stop the pool first.
  SecretProver(SlowProofs& pool, ProvenSecrets& proven, const protocol::Clock& clock)
      : pool_(pool), proven_(proven), clock_(clock) {}
  void Prove(std::string_view owner, std::string_view secret, const SecretProof& proof, Then then);

 private:
  void Answer(const std::string& name, const protocol::Result<bool>& answer);

  SlowProofs& pool_;
  ProvenSecrets& proven_;
  const protocol::Clock& clock_;
  protocol::Mutex mutex_;
  std::map<std::string, std::vector<Then>> asked_ GUARDED_BY(mutex_);  // of what is being proven
};

}  // namespace parley::accounts
