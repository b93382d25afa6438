// parleyctl: what operators ask of a stopped store. Commands are in gateway/ctl/.
#include "gateway/ctl/ctl.h"

int main(int argc, char** argv) {
  return parley::gateway::RunCtl(argc, argv);
}
