// Decoding any frame costs at most a fixed multiple of the largest frame's memory.
#include <gtest/gtest.h>

#include "protocol/value.h"
#include "protocol/writer.h"
#include "tests/protocol/heap_support.h"

namespace parley::protocol {
namespace {

constexpr size_t kFrame = 256 * 1024;

struct Cost {
  const char* why;
  size_t peak;
};
// The memory that decoding uses in addition to the bytes.
Cost CostOf(Encoding encoding, std::string bytes, const DecodeLimits& limits = {}) {
  Document document;
  const HeapPeak peak;
  const char* why = Decode(encoding, std::move(bytes), limits, &document);
  return {why, peak.bytes()};
}

TEST(CodecMemory, the_measurement_counts_allocations) {
  const HeapPeak peak;
  { const std::string taken(1 << 20, 'x'); }
  EXPECT_GE(peak.bytes(), size_t{1} << 20);
  EXPECT_LT(peak.bytes(), (size_t{1} << 20) + 10'000);
}

// msgpack-c alone uses 768 MB for this.
TEST(CodecMemory, twenty_megabytes_of_nested_arrays_use_no_memory) {
  for (const char byte : {'\x91', '\x81', '['}) {
    const Encoding encoding = byte == '[' ? Encoding::kJson : Encoding::kMsgpack;
    EXPECT_STREQ(CostOf(encoding, std::string(20'000'000, byte)).why, "too large");
    DecodeLimits roomy;
    roomy.max_bytes = 32'000'000;
    const Cost cost = CostOf(encoding, std::string(20'000'000, byte), roomy);
    EXPECT_NE(cost.why, nullptr);
    EXPECT_LT(cost.peak, 64u * 1024) << byte;
  }
}

TEST(CodecMemory, claimed_lengths_allocate_nothing) {
  for (const char* head : {"\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff",
                           "\xc6\xff\xff\xff\xff", "\xc9\xff\xff\xff\xff\x01"}) {
    for (const size_t rest : {size_t{0}, size_t{1'000}, kFrame - 6}) {
      const Cost cost = CostOf(Encoding::kMsgpack, head + std::string(rest, '\x90'));
      EXPECT_NE(cost.why, nullptr);
      EXPECT_LT(cost.peak, 4'096u);
    }
  }
  // Plausible lengths on every level at once.
  std::string levels;
  for (int i = 0; i < 31; ++i) levels += std::string("\xdc\x02\x00", 3);
  const Cost cost = CostOf(Encoding::kMsgpack, levels + std::string(1'000, '\x01'));
  EXPECT_STREQ(cost.why, "truncated");
  EXPECT_LT(cost.peak, 128u * 1024);
}

std::string Repeated(std::string_view part, std::string_view head, std::string_view tail) {
  std::string out(head);
  while (out.size() + part.size() + tail.size() <= kFrame) out += part;
  return out + std::string(tail);
}
std::string Packed(size_t count, const std::string& element) {
  Writer w;
  w.BeginArray(count);
  for (size_t i = 0; i < count; ++i) w.Raw(element);
  return w.Take();
}

TEST(CodecMemory, the_most_expensive_frames_use_a_few_megabytes) {
  std::string keys = "{";
  for (int i = 0; keys.size() + 20 < kFrame && i < 16'000; ++i) keys += "\"" + std::to_string(i) + "\":1,";
  keys.back() = '}';
  const std::vector<std::pair<Encoding, std::string>> frames = {
      {Encoding::kJson, Repeated("[],", "[", "[]]")},
      {Encoding::kJson, Repeated("{},", "[", "{}]")},
      {Encoding::kJson, Repeated("1,", "[", "1]")},
      {Encoding::kJson, Repeated("\"\",", "[", "\"\"]")},
      {Encoding::kJson, Repeated("\\u0001", "\"", "\"")},
      {Encoding::kJson, Repeated("x", "\"", "\"")},
      {Encoding::kJson, Repeated("{\"aaaaaaaaaaaaaaaaaaaaaaaa\":1},", "[", "1]")},
      {Encoding::kJson, keys},
      {Encoding::kMsgpack, Packed(16'000, "\x90")},
      {Encoding::kMsgpack, Packed(16'000, "\x80")},
      {Encoding::kMsgpack, Packed(250'000, "\x01")},
      {Encoding::kMsgpack, Packed(7'900,
                                  "\x81\xa1"
                                  "a\x90")},
      {Encoding::kMsgpack, Packed(480, std::string("\xdc\x00\x20", 3) + std::string(32, '\x90'))}};
  for (size_t i = 0; i < frames.size(); ++i) {
    const Cost cost = CostOf(frames[i].first, frames[i].second);
    EXPECT_LT(cost.peak, 24 * kFrame) << "frame " << i << ": " << (cost.why ? cost.why : "taken");
  }
}

// Regression: an intermediate tree took many times the memory of the text, and compared every key with all
// keys before it.
TEST(CodecMemory, printing_costs_memory_in_proportion_to_the_output) {
  Writer w;
  constexpr size_t kKeys = 100'000;
  w.BeginMap(kKeys);
  for (size_t i = 0; i < kKeys; ++i) {
    w.Text(std::to_string(i));
    w.Nil();
  }
  const HeapPeak peak;
  const std::string json = MsgpackToJson(w.bytes());
  EXPECT_LT(peak.bytes(), 4 * json.size());
  EXPECT_TRUE(json.ends_with("\"99999\":null}"));
}

}  // namespace
}  // namespace parley::protocol
