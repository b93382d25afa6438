// Expressions as an API's back end writes them: parsed per request, evaluated per item.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "storage/expressions/expressions.h"

namespace parley::bench {
namespace {

using namespace storage;

constexpr std::string_view kCondition =
    "#st = :open AND updatedAt < :now AND attribute_not_exists(deletedAt)";
constexpr std::string_view kUpdate =
    "SET #st = :open, updatedAt = :now, hits = hits + :one REMOVE leaseUntil";

void Expect(const Fault& fault) {
  if (!fault.empty()) std::abort();
}

// The values of a request with a condition and an update.
Placeholders Given() {
  Placeholders given;
  Expect(given.SetNames({{"#st", "status"}}));
  Expect(given.SetValues(
      {{":open", "open"}, {":now", "2025-11-05T14:12:07.123Z"}, {":one", AttributeValue::OfInt(1)}}));
  return given;
}

Item SomeItem() {
  Item item = {{"pk", "TENANT#acme"}, {"sk", "ORDER#0190a1b2"}, {"status", "open"}, {"hits", Number::Of(7)}};
  item.Set("updatedAt", "2025-11-04T09:00:00.000Z");
  for (int i = 0; i < 15; ++i) item.Set("attribute" + std::to_string(i), "some value");
  return item;
}

void PreparePlaceholders(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Given());
}
BENCHMARK(PreparePlaceholders);

void ParseConditionText(benchmark::State& state) {
  Placeholders given = Given();
  for (auto _ : state) {
    Condition condition;
    Expect(ParseCondition("ConditionExpression", kCondition, &given, &condition));
    benchmark::DoNotOptimize(condition);
  }
}
BENCHMARK(ParseConditionText);

void EvaluateCondition(benchmark::State& state) {
  Placeholders given = Given();
  Condition condition;
  Expect(ParseCondition("ConditionExpression", kCondition, &given, &condition));
  const Item item = SomeItem();
  if (!condition.Holds(item)) std::abort();
  for (auto _ : state) benchmark::DoNotOptimize(condition.Holds(item));
}
BENCHMARK(EvaluateCondition);

void ParseUpdateText(benchmark::State& state) {
  Placeholders given = Given();
  for (auto _ : state) {
    Update update;
    Expect(ParseUpdate(kUpdate, &given, &update));
    benchmark::DoNotOptimize(update);
  }
}
BENCHMARK(ParseUpdateText);

void ApplyUpdate(benchmark::State& state) {
  Placeholders given = Given();
  Update update;
  Expect(ParseUpdate(kUpdate, &given, &update));
  Item item = SomeItem();
  for (auto _ : state) Expect(update.Apply(&item));
}
BENCHMARK(ApplyUpdate);

}  // namespace
}  // namespace parley::bench
