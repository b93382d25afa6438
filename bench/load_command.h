// The command `load`: one load against one server, described by flags.
#pragma once

namespace CLI {
class App;
}

namespace parley::bench {

// Adds the subcommand; sets `exit_code` after it ran.
void AddLoadCommand(CLI::App& app, int* exit_code);

}  // namespace parley::bench
