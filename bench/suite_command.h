// The command `suite`: the named workloads, their baselines and their verdicts.
#pragma once

namespace CLI {
class App;
}

namespace parley::bench {

// Adds the subcommands `suite`, `mixed` and `list`; sets `exit_code` after one ran: 1 if a target was missed
// or not valid.
void AddSuiteCommand(CLI::App& app, int* exit_code);

}  // namespace parley::bench
