// The named workloads: each measures some of the targets P1 … P21, MIX, F1 … F4, T1 and D1 … D10 against
// baselines in the same run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/report/report.h"

namespace parley::bench {

struct Context {
  std::string parleyd;        // the binary
  std::string scratch;        // the directory for temporary stores
  int rounds = 3;             // baseline and server alternately; the ratio is the median
  double seconds = 3;         // per measurement
  size_t messages = 300'000;  // in a filled store
  size_t threads = 3'000;     // the threads of the user with the large inbox
  size_t all_threads = 30'000;
  std::string keep;  // the directory of filled stores for later runs; empty: keeps none
  size_t sessions = 10'000;
  double mixed_rate = 200;  // sends a second of the mixed load
  size_t mixed_rooms = 50;
  size_t items = 10'000;  // per table
  std::string modules;    // npm packages: other servers of the DynamoDB API
  std::vector<size_t> clients = {64, 8};
  std::vector<std::string> operations;  // operations of the DynamoDB API; empty: all
  Report* report = nullptr;
};

struct Workload {
  std::string name;
  std::string ids;  // "P1 P2 P4"
  std::string what;
  void (*run)(const Context&);
};
const std::vector<Workload>& AllWorkloads();

void RunSends(const Context& context);        // P1 P2 P4
void RunLoneSender(const Context& context);   // P3
void RunBroadcast(const Context& context);    // P5
void RunEcho(const Context& context);         // P6
void RunIdle(const Context& context);         // P7
void RunReads(const Context& context);        // P8 P9 P14
void RunFreshness(const Context& context);    // P10
void RunHugeThread(const Context& context);   // P11
void RunResume(const Context& context);       // P12
void RunDisk(const Context& context);         // P13
void RunSmallRooms(const Context& context);   // P16
void RunLargerRooms(const Context& context);  // P17
void RunQuiet(const Context& context);        // P18
void RunBytes(const Context& context);        // P19
void RunCold(const Context& context);         // P20
void RunMixed(const Context& context);        // MIX
void RunAge(const Context& context);          // P21
void RunNeighbours(const Context& context);   // T1
void RunDownloads(const Context& context);    // F1 F2
void RunUploads(const Context& context);      // F3
void RunSideLoad(const Context& context);     // F4
void RunRestart(const Context& context);      // P15
void RunTables(const Context& context);       // D1 to D10

}  // namespace parley::bench
