// parley-bench: loads, and the named workloads with their baselines.
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <csignal>

#include "bench/load_command.h"
#include "bench/suite_command.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;  // each session needs a descriptor
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  CLI::App app("Load and named workloads for Parley, as ratios to baselines measured in the same run.");
  app.require_subcommand(1);
  int exit_code = 0;
  parley::bench::AddLoadCommand(app, &exit_code);
  parley::bench::AddSuiteCommand(app, &exit_code);
  CLI11_PARSE(app, argc, argv);
  return exit_code;
}
