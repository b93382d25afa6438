// parleyctl: what operators ask of a stopped store. Commands are in gateway/ctl/.
#include <sys/stat.h>

#include "gateway/ctl/ctl.h"

int main(int argc, char** argv) {
  ::umask(S_IRWXG | S_IRWXO);  // checkpoints and reports hold what the store holds
  return parley::gateway::RunCtl(argc, argv);
}
