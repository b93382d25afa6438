// parleyctl --data DIR COMMAND …: see ctl.cc for the commands. Exit codes: 0 clean, 1 differences found, 2
// could not run.
#pragma once

namespace parley::gateway {

int RunCtl(int argc, char** argv);

}  // namespace parley::gateway
