// Frames as bytes on the wire, and their queue: the peer reads the same however the socket cuts it.
#include "gateway/net/frame.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace parley::gateway_test {
namespace {

using gateway::MakeFrame;
using gateway::Outbox;
using gateway::SharedFramePtr;

std::string Wire(const gateway::SharedFrame& frame) {
  std::string out;
  for (size_t part = 0; part < gateway::SharedFrame::kParts; ++part) out += frame.part(part);
  return out;
}

TEST(Frame, a_payload_in_two_pieces_is_framed_as_in_one) {
  for (const size_t size : {0u, 5u, 125u, 126u, 1023u, 1024u, 65'535u, 65'536u, 100'000u}) {
    const std::string payload(size, 'p');
    const std::string whole = Wire(*gateway::MakeFrames(&payload, 1, true));
    EXPECT_EQ(Wire(*MakeFrame(payload, true)), whole) << size;
    for (const size_t at : {size_t{0}, size / 2, size})
      EXPECT_EQ(Wire(*MakeFrame(payload.substr(0, at), payload.substr(at), true)), whole) << size;
    EXPECT_EQ(gateway::FrameBytes(*MakeFrame(payload, true)), whole.size());
  }
}

TEST(Frame, a_large_payload_is_not_copied) {
  std::string payload(10'000, 'p');
  const char* const made = payload.data();
  const SharedFramePtr frame = MakeFrame("head", std::move(payload), true);
  EXPECT_EQ(frame->part(1).data(), made);
}

TEST(Outbox, pieces_of_any_size_taken_from_the_queue_yield_the_pushed_bytes) {
  std::mt19937 random(7);  // NOLINT: a fixed seed, so that a failure can be repeated
  const auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  for (int round = 0; round < 50; ++round) {
    Outbox outbox;
    std::string pushed, taken;
    while (taken.size() < 200'000) {
      for (size_t more = below(4); more > 0; --more) {
        const std::string payload(below(2) ? below(300) : below(5000), static_cast<char>('a' + below(26)));
        const SharedFramePtr frame = MakeFrame("start", payload, true);
        pushed += Wire(*frame);
        outbox.Push(frame);
      }
      std::array<iovec, 5> vectors;
      const int count = outbox.Fill(vectors.data(), static_cast<int>(1 + below(vectors.size())));
      size_t offered = 0;
      for (int i = 0; i < count; ++i) {
        ASSERT_GT(vectors[i].iov_len, 0u);
        offered += vectors[i].iov_len;
      }
      const size_t take = offered > 0 && below(3) ? below(offered + 1) : offered;
      size_t left = take;
      for (int i = 0; i < count && left > 0; ++i) {
        const size_t part = std::min(left, vectors[i].iov_len);
        taken.append(static_cast<const char*>(vectors[i].iov_base), part);
        left -= part;
      }
      outbox.Consume(take);
      ASSERT_EQ(outbox.bytes(), pushed.size() - taken.size());
    }
    ASSERT_EQ(taken, pushed.substr(0, taken.size()));
  }
}

}  // namespace
}  // namespace parley::gateway_test
