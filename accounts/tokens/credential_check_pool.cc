#include "accounts/tokens/credential_check_pool.h"

#include <memory>

#include "protocol/base/crypto.h"
#include "protocol/base/reason.h"

namespace parley::accounts {

using protocol::Error;
using protocol::MutexLock;
using protocol::Reason;
using protocol::Result;
using protocol::Status;

namespace {

Error TooBusy() {
  return ErrorFor(Reason::kBusy, "too many secrets are being checked");
}

}  // namespace

CredentialCheckPool::CredentialCheckPool(Settings settings)
    : settings_(settings), queue_(settings.waiting_max) {
  Start(settings_.threads);
}

CredentialCheckPool::~CredentialCheckPool() {
  Stop();
}

void CredentialCheckPool::Start(size_t threads) {
  for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

void CredentialCheckPool::Submit(std::string_view owner, std::function<void()> work,
                                 std::function<void(Status)> then) {
  Job job{std::move(work), std::move(then)};
  {
    MutexLock lock(&mutex_);
    if (!stopping_ && queue_.Push(owner, job)) {
      wake_.Signal();
      return;
    }
  }
  job.then(TooBusy());
}

void CredentialCheckPool::Stop() {
  std::vector<Job> refused;
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    while (auto job = queue_.Pop()) refused.push_back(std::move(*job));
    wake_.SignalAll();
  }
  for (Job& job : refused) job.then(TooBusy());
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

size_t CredentialCheckPool::waiting() const {
  MutexLock lock(&mutex_);
  return queue_.size();
}

std::optional<CredentialCheckPool::Job> CredentialCheckPool::Next() {
  MutexLock lock(&mutex_);
  while (queue_.empty() && !stopping_) wake_.Wait(&mutex_);
  return queue_.Pop();
}

void CredentialCheckPool::Run() {
  while (auto job = Next()) Do(*job);
}

bool CredentialCheckPool::Step() {
  std::optional<Job> job;
  {
    MutexLock lock(&mutex_);
    job = queue_.Pop();
  }
  if (job) Do(*job);
  return job.has_value();
}

void CredentialCheckPool::Do(const Job& job) {
  job.work();
  job.then(protocol::Ok());
}

ProvenSecrets::ProvenSecrets(Settings settings, std::string process_key)
    : settings_(settings), process_key_(std::move(process_key)) {}

std::string ProvenSecrets::NameOf(std::string_view secret) const {
  return protocol::HmacSha256(process_key_, secret);
}

bool ProvenSecrets::Knows(std::string_view secret, const SecretProof& proof, int64_t now_ms) const {
  const std::string name = NameOf(secret);
  MutexLock lock(&mutex_);
  const auto found = entries_.find(name);
  return found != entries_.end() && now_ms < found->second.until_ms &&
         protocol::ConstantTimeEqual(found->second.proof, proof.proof);
}

void ProvenSecrets::Remember(std::string_view secret, const SecretProof& proof, int64_t now_ms) {
  const std::string name = NameOf(secret);
  MutexLock lock(&mutex_);
  const bool is_new = entries_.insert_or_assign(name, Entry{proof.proof, now_ms + settings_.keep_ms}).second;
  if (!is_new) return;
  order_.push_back(name);
  while (order_.size() > settings_.entries_max) {
    entries_.erase(order_.front());
    order_.pop_front();
  }
}

size_t ProvenSecrets::size() const {
  MutexLock lock(&mutex_);
  return entries_.size();
}

void SecretProver::Prove(std::string_view owner, std::string_view secret, const SecretProof& proof,
                         Then then) {
  if (proven_.Knows(secret, proof, clock_.MonotonicMs())) return then(true);
  const std::string name = proof.proof + LookupHashOf(secret);
  {
    MutexLock lock(&mutex_);
    auto& waiting = asked_[name];
    waiting.push_back(std::move(then));
    if (waiting.size() > 1) return;
  }
  const auto proves = std::make_shared<bool>(false);
  pool_.Submit(
      owner,
      [this, proves, secret = std::string(secret), proof] {
        *proves = Proves(secret, proof);
        if (*proves) proven_.Remember(secret, proof, clock_.MonotonicMs());
      },
      [this, proves, name](const Status& status) {
        Answer(name, status.ok() ? Result<bool>(*proves) : Result<bool>(status.error()));
      });
}

void SecretProver::Answer(const std::string& name, const Result<bool>& answer) {
  std::vector<Then> waiting;
  {
    MutexLock lock(&mutex_);
    waiting = std::move(asked_.extract(name).mapped());
  }
  for (const Then& then : waiting) then(answer);
}

}  // namespace parley::accounts
