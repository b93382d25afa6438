// Whole ops, generated from a stream of choices: every op of AllOps, every argument by its type, hostile
// texts, sent as frames of either encoding or over HTTP to a server on the memory table by callers of every
// standing. New ops and arguments are included automatically. Used by tests/fuzz/ops_fuzz.cc, where the
// choices are the fuzzer's bytes, and by op_script_test.cc, where they come from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace parley::gateway_test {

class Choices {
 public:
  virtual ~Choices() = default;
  // Below n; 0 once nothing is left.
  virtual uint32_t Below(uint32_t n) = 0;
  virtual bool exhausted() const { return false; }
  bool OneIn(uint32_t n) { return Below(n) == n - 1; }  // never, once nothing is left
};

// A byte, or two if n needs them, for each choice.
class ByteChoices final : public Choices {
 public:
  explicit ByteChoices(std::string_view bytes) : rest_(bytes) {}
  uint32_t Below(uint32_t n) override;
  bool exhausted() const override { return rest_.empty(); }

 private:
  std::string_view rest_;
};

class SeededChoices final : public Choices {
 public:
  explicit SeededChoices(uint64_t seed) : engine_(seed) {}
  uint32_t Below(uint32_t n) override { return static_cast<uint32_t>(engine_() % n); }

 private:
  std::mt19937_64 engine_;
};

// What a run reached, so that a test can see that it got anywhere.
struct OpScriptReport {
  std::vector<std::string> complaints;  // empty: every request was answered as the protocol says
  size_t ops = 0, ok = 0, refused = 0, nul_refused = 0, closed = 0;
};

// Sends at most `ops_max` requests, fewer if the choices end, then has the store verified, also after a
// restart. Complains about a request without its answer, INTERNAL and UNAVAILABLE, a session closed without
// cause, a U+0000 that was accepted, and what the proof finds.
OpScriptReport RunOpScript(Choices& choices, size_t ops_max);

}  // namespace parley::gateway_test
