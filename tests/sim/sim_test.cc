// Whole servers under random events: see README.md. One seed makes one run; a failure prints the seed, and
//
//   sim_test --seed=N --trace
//
// replays it. --seeds=N plays more of them than the default. A quarter of the seeds plays in each run, all of
// them at night.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/nightly.h"
#include "tests/sim/world_support.h"

namespace parley::sim {
namespace {

constexpr int kShards = 8, kDailyShards = 2;  // each plays seeds of every kind
constexpr size_t kSteps = 3000;
uint64_t g_seeds = 240;
uint64_t g_only_seed = 0;
bool g_trace = false;

class Simulation : public testing::TestWithParam<int> {};

TEST_P(Simulation, loses_and_doubles_nothing_while_the_process_dies_between_any_two_steps) {
  if (GetParam() >= kDailyShards && !tests::IsNightly()) GTEST_SKIP() << "plays at night";
  size_t deaths = 0, acknowledged = 0, runs = 0, openings = 0, acts = 0, effects = 0;
  size_t decisions = 0, looks = 0, broadcasts = 0, finals = 0;
  size_t entries = 0, receipts = 0, typings = 0, bodies = 0, silences = 0;
  size_t opened = 0, posts = 0, groups = 0, trims = 0, hours_on = 0, hours_back = 0;
  size_t stood_still = 0;
  size_t nights = 0, forgotten = 0, directs = 0, circles = 0, firsts = 0, reads = 0;
  size_t items = 0, moves = 0, filled = 0, shared_pages = 0;
  AccountReport accounts;
  StrangerReport strangers;
  ModerationCounts moderation;
  UploadCounts uploads;
  const auto play = [&](uint64_t seed) {
    const RunReport report = World(seed, g_trace).Play(kSteps);
    ++runs;
    deaths += report.deaths;
    acknowledged += report.acknowledged;
    openings += report.openings;
    acts += report.acts;
    effects += report.effects;
    decisions += report.decisions;
    looks += report.looks;
    broadcasts += report.broadcasts;
    finals += report.finals;
    entries += report.entries;
    receipts += report.receipts;
    typings += report.typings;
    bodies += report.bodies;
    silences += report.silences;
    opened += report.opened;
    filled += report.filled;
    posts += report.posts;
    groups += report.groups;
    trims += report.trims;
    hours_on += report.hours_on;
    hours_back += report.hours_back;
    stood_still += report.suspensions;
    nights += report.nights;
    forgotten += report.forgotten;
    directs += report.directs;
    circles += report.circles;
    firsts += report.firsts;
    reads += report.reads;
    shared_pages += report.shared_pages;
    items += report.items;
    moves += report.moves;
    accounts += report.accounts;
    strangers += report.strangers;
    moderation += report.moderation;
    uploads += report.uploads;
    std::string first;
    for (size_t i = 0; i < report.complaints.size() && i < 5; ++i) first += "\n  " + report.complaints[i];
    ASSERT_TRUE(report.complaints.empty())
        << "seed " << seed << " (replay: sim_test --seed=" << seed << " --trace)" << first;
  };
  if (g_only_seed != 0) {
    if (GetParam() == 0) play(g_only_seed);
    return;
  }
  for (uint64_t seed = 1 + static_cast<uint64_t>(GetParam()); seed <= g_seeds && !HasFatalFailure();
       seed += kShards)
    play(seed);
  std::printf("%zu runs, %zu deaths, %zu acknowledged sends, %zu intents, %zu outside effects\n", runs,
              deaths, acknowledged, acts, effects);
  std::printf("%zu decisions of support, %zu looks, %zu broadcast messages, %zu finals\n", decisions, looks,
              broadcasts, finals);
  std::printf("%zu entries, %zu receipts, %zu typings, %zu bodies, %zu silences after a removal\n", entries,
              receipts, typings, bodies, silences);
  std::printf("%zu threads opened, %zu posts, %zu groups of two, %zu trims, clock %zu on %zu back\n", opened,
              posts, groups, trims, hours_on, hours_back);
  std::printf("%zu direct threads, %zu groups asked for, %zu first messages\n", directs, circles, firsts);
  std::printf("%zu compact items filled in\n", filled);
  std::printf("%zu reads that memory could not answer, %zu shared pages of missed changes\n", reads,
              shared_pages);
  std::printf("%zu writes to tables, %zu transactions\n", items, moves);
  std::printf("%zu suspensions, %zu activations, %zu keys revoked, %zu users suspended, %zu voids\n",
              accounts.suspensions, accounts.activations, accounts.revocations, accounts.user_suspensions,
              accounts.voids);
  std::printf(
      "%zu renewals, %zu answered again, %zu tokens used twice, %zu uses of API keys, %zu sessions ended\n",
      accounts.renewals, accounts.repeated_renewals, accounts.reuses, accounts.api_key_uses, accounts.ended);
  std::printf("%zu refusals and %zu answers foreseen, %zu messages and %zu events in tenants\n",
              accounts.refused, accounts.served, accounts.said, accounts.events);
  std::printf(
      "%zu strangers asked, %zu let in, %zu turned away, %zu asked again, %zu reopened, %zu out of credits, "
      "%zu answers about credits\n",
      strangers.asked, strangers.let_in, strangers.turned_away, strangers.asked_again, strangers.reopened,
      strangers.exhausted, strangers.credits);
  std::printf("%zu blocks, %zu sends refused and %zu served as foreseen, %zu reports, %zu texts shown\n",
              strangers.blocks, strangers.refused, strangers.served, strangers.reports, strangers.shown);
  std::printf("%zu changes of bookings, %zu marks of blocks, %zu typings hidden and %zu seen at the end\n",
              strangers.bookings, strangers.marks, strangers.hidden, strangers.typed);
  std::printf("%zu redactions (%zu of cards), %zu withheld, %zu restored, %zu removals by staff\n",
              moderation.redactions, moderation.cards, moderation.withheld, moderation.restored,
              moderation.removals);
  std::printf("%zu shadows, %zu mutes, %zu suspensions, %zu reports, %zu decisions, %zu of two\n",
              moderation.shadows, moderation.mutes, moderation.suspensions, moderation.reports,
              moderation.decisions, moderation.joint);
  std::printf("%zu uploads, %zu complete, %zu cancelled, %zu passed, %zu found, %zu released, %zu swept\n",
              uploads.begun, uploads.completed, uploads.cancelled, uploads.passed, uploads.found,
              uploads.released, uploads.swept);
  std::printf(
      "%zu sent, %zu deleted, %zu redacted, %zu withheld or restored; %zu moves and %zu uploads refused; "
      "%zu looks, %zu of them in vain\n",
      uploads.sent, uploads.deleted, uploads.redacted, uploads.withheld, uploads.refused, uploads.full,
      uploads.looks, uploads.hidden);
  // A simulation without events proves nothing.
  EXPECT_GT(deaths, runs);
  EXPECT_GT(acknowledged, runs * 5);
  EXPECT_GT(openings, runs * 2);
  EXPECT_GT(acts, runs * 2);
  EXPECT_GT(effects, runs / 2);
  EXPECT_GT(decisions, runs / 2);
  EXPECT_GT(looks, runs / 4);
  EXPECT_GT(broadcasts, runs);
  EXPECT_GT(finals, runs);
  EXPECT_GT(entries, runs * 10);
  EXPECT_GT(receipts, runs);
  EXPECT_GT(typings, runs);
  EXPECT_GT(bodies, runs * 20);
  EXPECT_GT(silences, runs / 16);
  EXPECT_GT(opened, runs);
  EXPECT_GT(filled, runs * 5);
  EXPECT_GT(posts, runs * 5);
  EXPECT_GT(groups, runs / 2);
  EXPECT_GT(trims, runs * 2);
  EXPECT_GT(hours_on, runs / 4);
  EXPECT_GT(hours_back, runs / 4);
  EXPECT_GT(stood_still, runs / 20);
  EXPECT_GT(nights, runs);
  EXPECT_GT(forgotten, runs);
  EXPECT_GT(directs, runs);
  EXPECT_GT(circles, runs / 2);
  EXPECT_GT(firsts, runs);
  EXPECT_GT(reads, runs * 20);
  EXPECT_GT(shared_pages, runs);
  EXPECT_GT(items, runs * 50);
  EXPECT_GT(moves, runs * 10);
  // Operators run in every second stretch of 32 seeds, so a run of few seeds may have none.
  EXPECT_GE(accounts.suspensions, accounts.runs);
  EXPECT_GE(accounts.activations, accounts.runs * 4);
  EXPECT_GE(accounts.revocations, accounts.runs * 3);
  EXPECT_GE(accounts.user_suspensions, accounts.runs);
  EXPECT_GE(accounts.voids, accounts.runs);
  EXPECT_GE(accounts.renewals, accounts.runs * 10);
  EXPECT_GE(accounts.repeated_renewals, accounts.runs);
  EXPECT_GE(accounts.reuses, accounts.runs * 3);
  EXPECT_GE(accounts.api_key_uses, accounts.api_key_runs);
  EXPECT_GE(accounts.ended, accounts.runs * 40);
  EXPECT_GE(accounts.refused, accounts.runs * 40);
  EXPECT_GE(accounts.served, accounts.runs * 30);
  EXPECT_GE(accounts.said, accounts.runs * 30);
  EXPECT_GE(accounts.events, accounts.runs * 30);
  // Strangers run in every third stretch of 8 seeds.
  EXPECT_GE(strangers.asked, strangers.runs * 5);
  EXPECT_GE(strangers.let_in, strangers.runs * 3);
  EXPECT_GE(strangers.turned_away, strangers.runs / 2);
  EXPECT_GE(strangers.exhausted, strangers.poor_runs);
  EXPECT_GE(strangers.blocks, strangers.runs);
  EXPECT_GE(strangers.refused, strangers.runs * 5);
  EXPECT_GE(strangers.served, strangers.runs * 10);
  EXPECT_GE(strangers.credits, strangers.runs * 10);
  EXPECT_GE(strangers.reports, strangers.runs);
  EXPECT_GE(strangers.shown, strangers.runs * 30);
  EXPECT_GE(strangers.asked_again + strangers.reopened, strangers.runs / 8);
  EXPECT_GE(strangers.bookings, strangers.runs);
  EXPECT_GE(strangers.marks, strangers.runs * 5);
  EXPECT_GE(strangers.hidden, strangers.runs);
  EXPECT_GE(strangers.typed, strangers.runs);
  // So do moderators.
  EXPECT_GE(moderation.redactions, moderation.runs * 2);
  EXPECT_GE(moderation.cards, moderation.runs / 2);
  EXPECT_GE(moderation.withheld, moderation.runs);
  EXPECT_GE(moderation.restored, moderation.runs);
  EXPECT_GE(moderation.removals, moderation.runs);
  EXPECT_GE(moderation.shadows, moderation.runs / 2);
  EXPECT_GE(moderation.mutes, moderation.runs / 2);
  EXPECT_GE(moderation.suspensions, moderation.runs / 2);
  EXPECT_GE(moderation.reports, moderation.runs);
  EXPECT_GE(moderation.decisions, moderation.runs);
  // Uploaders run in two of five stretches of 8 seeds.
  EXPECT_GE(uploads.begun, uploads.runs * 10);
  EXPECT_GE(uploads.completed, uploads.runs * 5);
  EXPECT_GE(uploads.cancelled, uploads.runs);
  EXPECT_GE(uploads.passed, uploads.runs * 2);
  EXPECT_GE(uploads.found, uploads.runs);
  EXPECT_GE(uploads.released, uploads.runs);
  EXPECT_GE(uploads.swept, uploads.runs * 5);
  EXPECT_GE(uploads.sent, uploads.runs);
  EXPECT_GE(uploads.deleted + uploads.redacted, uploads.runs / 2);
  EXPECT_GE(uploads.withheld, uploads.runs / 2);
  EXPECT_GE(uploads.refused, uploads.runs * 5);
  EXPECT_GE(uploads.full, uploads.runs / 2);
  EXPECT_GE(uploads.looks - uploads.hidden, uploads.runs / 2);
  EXPECT_GE(uploads.looks, uploads.runs * 5);
  EXPECT_GE(uploads.hidden, uploads.runs * 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Simulation, testing::Range(0, kShards));

TEST(SimulationItself, plays_the_same_run_for_the_same_seed) {
  const RunReport once = World(7, false).Play(kSteps), again = World(7, false).Play(kSteps);
  EXPECT_EQ(once.digest, again.digest);
  EXPECT_NE(once.digest, World(8, false).Play(kSteps).digest);
}

TEST(SimulationItself, catches_an_acknowledgement_that_comes_before_its_sync) {
  // The lie affects the next commit, which now and then is the clock's and not the send's.
  RunReport report;
  for (uint64_t seed = 11; seed < 31 && !report.lied; ++seed) {
    World world(seed, g_trace);
    world.AcknowledgeEarly();
    report = world.Play(kSteps);
  }
  ASSERT_TRUE(report.lied) << "no device received the false acknowledgement";
  ASSERT_FALSE(report.complaints.empty());
  EXPECT_NE(report.complaints[0].find("an acknowledged send is lost: early"), std::string::npos)
      << report.complaints[0];
}

}  // namespace
}  // namespace parley::sim

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--seeds=")) parley::sim::g_seeds = std::strtoull(word.c_str() + 8, nullptr, 10);
    if (word.starts_with("--seed=")) parley::sim::g_only_seed = std::strtoull(word.c_str() + 7, nullptr, 10);
    if (word == "--trace") parley::sim::g_trace = true;
  }
  return RUN_ALL_TESTS();
}
