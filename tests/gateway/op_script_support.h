// Whole ops, generated from a stream of choices: every op of AllOps with each argument by its type and
// hostile texts, sent as frames of either encoding or over HTTP by callers of every role to a server on the
// memory table. New ops and arguments are included automatically. tests/fuzz/ops_fuzz.cc takes the choices
// from the fuzzer's bytes, op_script_test.cc from a seed.
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
  // Below n; 0 once the choices are used up.
  virtual uint32_t Below(uint32_t n) = 0;
  virtual bool exhausted() const { return false; }
  bool OneIn(uint32_t n) { return Below(n) == n - 1; }  // never, once the choices are used up
};

// Takes a byte for each choice, or two if n needs them.
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

// Figures of a run, so that a test can check that it exercised the server.
struct OpScriptReport {
  std::vector<std::string> complaints;  // empty if every request was answered as the protocol requires
  size_t ops = 0, ok = 0, refused = 0, nul_refused = 0, closed = 0;
};

// Sends at most `ops_max` requests, fewer if the choices end, then verifies the store, also after a restart.
// Complains about a request without an answer, INTERNAL and UNAVAILABLE, a session closed without cause, an
// accepted U+0000, and every fault that verify finds.
OpScriptReport RunOpScript(Choices& choices, size_t ops_max);

}  // namespace parley::gateway_test
