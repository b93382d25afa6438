#include "bench/workloads/workload.h"

namespace parley::bench {

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = {
      {"sends", "P1 P2 P4", "durable sends and their deliveries in rooms of 10", RunSends},
      {"lone-sender", "P3", "one sender alone, one message after another", RunLoneSender},
      {"broadcast", "P5", "one thread with 1 000 and 5 000 members online", RunBroadcast},
      {"echo", "P6", "session.ping over 100 connections", RunEcho},
      {"idle", "P7", "memory of sessions that do nothing", RunIdle},
      {"small-rooms", "P16", "64 rooms of 10, one send outstanding in each", RunSmallRooms},
      {"larger-rooms", "P17", "8 rooms of 100, 4 and 32 sends outstanding", RunLargerRooms},
      {"quiet", "P18", "50 sends a second, and nothing else", RunQuiet},
      {"bytes", "P19", "bytes on the wire of a delivery, compact, in both encodings", RunBytes},
      {"reads", "P8 P9 P14", "pages of messages and of the inbox, small store and large", RunReads},
      {"freshness", "P10", "from an acknowledged send to the inbox of another member", RunFreshness},
      {"huge-thread", "P11", "what 10 000 members of one thread cost all others", RunHugeThread},
      {"cold", "P20", "pings beside one session that reads a cold store", RunCold},
      {"mixed", "MIX", "acks beside those who read and reconnect", RunMixed},
      {"resume", "P12", "all sessions come back at once", RunResume},
      {"disk", "P13", "bytes on disk for each message", RunDisk},
      {"age", "P21", "three days of traffic in one thread, and what a send costs then", RunAge},
      {"downloads", "F1 F2", "files and thumbs to 64 clients, beside nginx", RunDownloads},
      {"uploads", "F3", "uploads, beside copies of the same bytes", RunUploads},
      {"beside-uploads", "F4", "acks while eight members upload", RunSideLoad},
      {"tables", "D1 to D10", "the DynamoDB API beside two other servers of it", RunTables},
      {"neighbours", "T1", "pings beside another tenant's worst table requests", RunNeighbours},
      {"restart", "P15", "from kill -9 to ready", RunRestart},
  };
  return all;
}

}  // namespace parley::bench
