#include "bench/suite_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "bench/measure/cpu.h"
#include "bench/report/machine.h"
#include "bench/workloads/workload.h"

namespace parley::bench {
namespace {

struct SuiteFlags {
  Context context;
  std::vector<std::string> only;
  std::string json, html;
  bool full = false;
};

std::string BesideThisBinary(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

void Describe(const Context& context) {
  Report& report = *context.report;
  for (auto& [name, value] : DescribeMachine(context.scratch)) report.Describe(name, value);
  char text[160];
  std::snprintf(text, sizeof text, "%d rounds of %.1f s, %zu messages, %zu sessions, %zu items",
                context.rounds, context.seconds, context.messages, context.sessions, context.items);
  report.Describe("parameters", text);
}

int RunSuite(SuiteFlags flags) {
  Report report;
  Context& context = flags.context;
  context.report = &report;
  if (flags.full) {
    context.rounds = 5;
    context.seconds = 8;
    context.messages = 10'000'000;
    context.threads = 10'000;
    context.all_threads = 1'000'000;
  }
  Describe(context);
  const int64_t began = NowNs();
  for (const Workload& workload : AllWorkloads()) {
    if (!flags.only.empty() &&
        std::find(flags.only.begin(), flags.only.end(), workload.name) == flags.only.end())
      continue;
    std::fprintf(stderr, "== %s (%s): %s\n", workload.name.c_str(), workload.ids.c_str(),
                 workload.what.c_str());
    const int64_t from = NowNs();
    workload.run(context);
    std::fprintf(stderr, "   took %.0f s\n", static_cast<double>(NowNs() - from) / 1e9);
  }
  report.Print();
  std::printf("\n%.0f s in all\n", static_cast<double>(NowNs() - began) / 1e9);
  if (!flags.json.empty() && !report.WriteJson(flags.json)) return 2;
  if (!flags.html.empty() && !report.WriteHtml(flags.html)) return 2;
  return report.passed() ? 0 : 1;
}

// Options that all runs of workloads share.
void AddRunFlags(CLI::App& command, SuiteFlags& flags) {
  Context& context = flags.context;
  context.parleyd = BesideThisBinary("parleyd");
  context.scratch = "build/bench";
  command.add_option("--parleyd", context.parleyd, "the server to measure")->capture_default_str();
  command.add_option("--scratch", context.scratch, "directory for stores that are removed afterwards")
      ->capture_default_str();
  command.add_option("--rounds", context.rounds)->check(CLI::Range(1, 99))->capture_default_str();
  command.add_option("--seconds", context.seconds, "of each measurement")
      ->check(CLI::Range(0.5, 600.0))
      ->capture_default_str();
  command.add_option("--messages", context.messages, "of a filled store")
      ->check(CLI::Range(10'000, 100'000'000))
      ->capture_default_str();
  command.add_option("--threads", context.threads, "of the user with the large inbox")
      ->check(CLI::Range(100, 1'000'000))
      ->capture_default_str();
  command.add_option("--all-threads", context.all_threads, "of a filled store")
      ->check(CLI::Range(100, 10'000'000))
      ->capture_default_str();
  command.add_option(
      "--keep", context.keep,
      "keep filled stores in this directory, on the file system of --scratch, and use those that "
      "are there");
  command.add_option("--json", flags.json, "write the findings to this file");
  command.add_option("--html", flags.html, "write a page with the table and the latency curves to this file");
}

void AddMixedCommand(CLI::App& app, int* exit_code) {
  auto flags = std::make_shared<SuiteFlags>();
  flags->only = {"mixed"};
  CLI::App* const mixed =
      app.add_subcommand("mixed", "Open-loop sends beside clients that page, list and reconnect");
  AddRunFlags(*mixed, *flags);
  mixed->add_option("--rate", flags->context.mixed_rate, "sends a second")
      ->check(CLI::Range(1.0, 100'000.0))
      ->capture_default_str();
  mixed->add_option("--rooms", flags->context.mixed_rooms, "of ten members each")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  mixed->callback([flags, exit_code] { *exit_code = RunSuite(*flags); });
}

}  // namespace

void AddSuiteCommand(CLI::App& app, int* exit_code) {
  auto flags = std::make_shared<SuiteFlags>();
  flags->context.modules = "tests/e2e/node_modules";
  CLI::App* const suite = app.add_subcommand("suite", "The named workloads and their baselines");
  AddRunFlags(*suite, *flags);
  std::vector<std::string> names;
  for (const Workload& workload : AllWorkloads()) names.push_back(workload.name);
  suite->add_option("--only", flags->only, "these workloads and no others")->check(CLI::IsMember(names));
  suite->add_flag("--full", flags->full, "ten million messages, five rounds: an hour or more");
  suite
      ->add_option("--modules", flags->context.modules, "npm packages, for other servers of the DynamoDB API")
      ->capture_default_str();
  suite->add_option("--items", flags->context.items, "of the table that is measured")
      ->check(CLI::Range(1'000, 10'000'000))
      ->capture_default_str();
  suite->add_option("--clients", flags->context.clients, "of tables, at the same time")
      ->check(CLI::Range(1, 400))
      ->capture_default_str();
  suite->add_option("--operations", flags->context.operations, "on tables: these and no others");
  suite->callback([flags, exit_code] { *exit_code = RunSuite(*flags); });
  AddMixedCommand(app, exit_code);
  app.add_subcommand("list", "Lists the workloads")->callback([] {
    for (const Workload& workload : AllWorkloads()) {
      std::printf("%-12s %-10s %s\n", workload.name.c_str(), workload.ids.c_str(), workload.what.c_str());
    }
  });
}

}  // namespace parley::bench
