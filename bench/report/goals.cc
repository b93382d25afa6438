#include "bench/report/goals.h"

#include <cstdio>
#include <cstdlib>

namespace parley::bench {
namespace {

constexpr double kNoise = 1.1;
constexpr double kNone = std::numeric_limits<double>::infinity();

struct Named {
  std::string_view id;
  Goal goal;
};
// There is no upper bound if more is possible: several writers hinder each other (P2), frames of several
// sends are sent together (P16 to P18), and both halves of a ratio are latencies of different things (P10).
// Writes to many connections share a system call, so P5 and P6 can be better than a baseline without that:
// 200 such writes took 0.42 of the time of as many send() calls.
constexpr Named kGoals[] = {
    {"P1", {0.7, 0.85, false, 0, kNoise, "it does the baseline's work and more"}},
    {"P2", {1.0, 1.5, false}},
    {"P3", {2.0, 1.5, true, 1 / kNoise, kNone, "an ack cannot be faster than the sync below it"}},
    {"P4", {0.15, 0.3, false, 0, kNoise, "it does the baseline's work and more"}},
    {"P5", {1.15, 1.05, true, 0.2, kNone, "a delivery holds the kernel's part of the baseline's send()"}},
    {"P5 coalesced", {1.3, 1.1, true, 0.5, kNone, "a delivery holds the copy of the baseline's send()"}},
    {"P6", {0.75, 0.85, false, 0, 2, "a reply holds the baseline's recv(), and half of its send()"}},
    {"P7", {7, 6, true, 0.1, kNone, "a session has at least its socket's state"}},
    {"P8", {0.45, 0.7, false, 0, kNoise, "a request holds the baseline's scan"}},
    {"P9", {0.45, 0.7, false, 0, kNoise, "a request holds the baseline's scan"}},
    {"P10", {1.5, 1.2, true}},
    {"P11", {1.3, 1.1, true}},
    {"P12", {1.5, 1.2, true, 1 / kNoise, kNone, "a resume holds the baseline's handshake"}},
    {"P13", {2, 1.5, true, 0.59, kNone, "random letters hold that much information"}},
    {"P14", {0.8, 0.9, false, 0, 1.5, "more data cannot make it so much cheaper"}},
    {"P15", {1.5, 1.2, true, 1 / kNoise, kNone, "the start holds the baseline's replay"}},
    {"P16", {2.2, 1.6, true}},
    {"P17", {1.6, 1.3, true}},
    {"P18", {2.5, 1.8, true}},
    {"P19", {3.1, 3.0, true, 1, kNone, "the body is sent whole"}},
    {"P19 msgpack", {2.8, 2.7, true, 1, kNone, "the body is sent whole"}},
    {"P20", {2, 1.2, true}},
    {"P21", {1.3, 1.1, true, 0.5, kNone, "age cannot make it so much cheaper"}},
    {"MIX", {2, 1.5, true}},
    {"F1", {0.5, 0.7, false, 0, 1.5, "both send the same bytes"}},
    {"F2", {0.5, 0.7, false, 0, 1.5, "both send the same bytes"}},
    {"F3", {0.5, 0.7, false, 0, 1.5, "an upload is written and synced like the copy"}},
    {"F4", {1.3, 1.1, true, 0.7, kNone, "uploads cannot make it so much cheaper"}},
    {"T1", {2, 1.5, true}},
};

}  // namespace

const Goal& GoalOf(std::string_view id) {
  for (const Named& named : kGoals) {
    if (named.id == id) return named.goal;
  }
  std::fprintf(stderr, "parley-bench: nothing is asked of %.*s\n", static_cast<int>(id.size()), id.data());
  std::abort();
}

}  // namespace parley::bench
