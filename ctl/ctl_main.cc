// parleyctl: an operator's tools, for a stopped store and a running server. Commands are in ctl/.
#include <sys/stat.h>

#include "ctl/ctl.h"

int main(int argc, char** argv) {
  ::umask(S_IRWXG | S_IRWXO);  // keeps secrets and reports as private as the store
  return parley::ctl::RunCtl(argc, argv);
}
