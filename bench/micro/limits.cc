// The cost of every request before it is carried out: the connect decision, and its rate limits.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>

#include "accounts/limits/request_limits.h"
#include "accounts/tokens/connect.h"
#include "gateway/app/op_meter.h"

namespace parley::bench {
namespace {

using namespace accounts;

const protocol::TenantId kAcme{"acme"};

// For a back end's page: one of ten origins that the tenant allows.
void DecideToConnect(benchmark::State& state) {
  Tenant tenant;
  tenant.id = kAcme;
  tenant.status = TenantStatus::kActive;
  auto& origins = tenant.settings.allowed_origins.value.emplace().items;
  for (int i = 0; i < 10; ++i) origins.push_back({"https://app" + std::to_string(i) + ".acme.example"});
  ConnectFacts facts;
  facts.credential = CredentialState::kGood;
  facts.tenant = std::make_shared<const Tenant>(std::move(tenant));
  facts.writes = true;
  if (state.range(0)) facts.origin = "https://app9.acme.example";
  if (!DecideConnect(facts, Purpose::kOp).ok()) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(DecideConnect(facts, Purpose::kOp).ok());
}
BENCHMARK(DecideToConnect)->ArgName("from a page")->Arg(0)->Arg(1);

void TakeFromBucket(benchmark::State& state) {
  TokenBucket bucket;
  const Rate rate = Rate::PerSecond(1000);
  int64_t now_ms = 0;
  for (auto _ : state) benchmark::DoNotOptimize(bucket.Take(rate, ++now_ms));
}
BENCHMARK(TakeFromBucket);

// The time advances so fast that nothing is rejected.
RequestLimitSettings Generous() {
  RequestLimitSettings settings;
  settings.tenant_per_second = 10'000'000;
  return settings;
}

// As a session charges its requests: it keeps its buckets.
void ChargeRequest(benchmark::State& state) {
  protocol::Metrics metrics;
  RequestLimits limits(Generous(), metrics);
  int64_t now_ms = 0;
  const Requester requester = limits.OfUser(kAcme, protocol::UserId{"usr_alice"}, now_ms);
  const EffectiveLimits rates;
  for (auto _ : state) {
    now_ms += kSecondMs;
    if (!limits.Take(requester, rates, now_ms).allowed) std::abort();
  }
}
BENCHMARK(ChargeRequest);

// Reads the clock twice and adds to counters; an error adds one more.
void CountAndTimeOp(benchmark::State& state) {
  constexpr size_t kOps = 64;  // fewer than the server has
  const auto meter = std::make_unique<gateway::OpMeter>();
  size_t op = 0;
  for (auto _ : state) {
    const gateway::OpMeter::Mark mark = gateway::OpMeter::Begin(op);
    benchmark::DoNotOptimize(mark);
    meter->Note(mark, state.range(0) ? std::optional(protocol::ErrorCode::kNotFound) : std::nullopt);
    op = (op + 1) % kOps;
  }
}
BENCHMARK(CountAndTimeOp)->ArgName("with an error")->Arg(0)->Arg(1);

// As HTTP does: finds the bucket among many users' first.
void FindAndChargeRequest(benchmark::State& state) {
  protocol::Metrics metrics;
  RequestLimits limits(Generous(), metrics);
  const auto users = static_cast<size_t>(state.range(0));
  std::vector<protocol::UserId> ids;
  for (size_t i = 0; i < users; ++i) ids.push_back(*protocol::UserId::FromText("usr_" + std::to_string(i)));
  const EffectiveLimits rates;
  int64_t now_ms = 0;
  size_t next = 0;
  for (auto _ : state) {
    now_ms += kSecondMs;
    const protocol::UserId& user = ids[next++ * 7919 % users];
    if (!limits.Take(limits.OfUser(kAcme, user, now_ms), rates, now_ms).allowed) std::abort();
  }
}
BENCHMARK(FindAndChargeRequest)->ArgName("users")->Arg(1)->Arg(10'000);

// Before the caller is known: whether credentials from an address are checked.
void AskForAddress(benchmark::State& state) {
  protocol::Metrics metrics;
  RequestLimits limits(Generous(), metrics);
  limits.NoteFailure("192.0.2.7", 0);
  for (auto _ : state) benchmark::DoNotOptimize(limits.MayTry("192.0.2.7", 1).allowed);
}
BENCHMARK(AskForAddress);

}  // namespace
}  // namespace parley::bench
