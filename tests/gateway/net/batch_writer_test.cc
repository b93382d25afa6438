// Writing to many sockets with one system call (gateway/net/batch_writer.h).
#include "gateway/net/batch_writer.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>
#include <vector>

#include "gateway/net/descriptor.h"

namespace parley::gateway_test {
namespace {

using gateway::BatchWriter;
using gateway::Descriptor;
using gateway::Piece;

class Writing : public testing::Test {
 protected:
  void SetUp() override {
    writer_ = BatchWriter::New();
    if (!writer_) GTEST_SKIP() << "this machine forbids io_uring";
  }
  size_t Open() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    ours_.emplace_back(ends[0]);
    theirs_.emplace_back(ends[1]);
    return ours_.size() - 1;
  }
  std::string Read(size_t index) {
    std::string all(1 << 20, '\0');
    const ssize_t n = ::recv(theirs_[index].get(), all.data(), all.size(), 0);
    all.resize(n < 0 ? 0 : static_cast<size_t>(n));
    return all;
  }

  std::unique_ptr<BatchWriter> writer_;
  std::vector<Descriptor> ours_, theirs_;
};

iovec Of(std::string& text) {
  return {text.data(), text.size()};
}

TEST_F(Writing, WritesAllPiecesInOrder) {
  std::string one = "one ", two = "two";
  const std::vector<iovec> vectors = {Of(one), Of(two)};
  std::vector<Piece> pieces;
  for (size_t i = 0; i < BatchWriter::kPiecesMax; ++i)
    pieces.push_back({ours_.at(Open()).get(), vectors.data(), i % 2 == 0 ? 2u : 1u});
  for (int round = 0; round < 3; ++round) {
    for (Piece& piece : pieces) piece.written = 0;
    writer_->Write(&pieces);
    for (size_t i = 0; i < pieces.size(); ++i) {
      const std::string expected = i % 2 == 0 ? "one two" : "one ";
      ASSERT_EQ(pieces[i].written, expected.size()) << i;
      ASSERT_EQ(Read(i), expected);
    }
  }
}

TEST_F(Writing, ReportsTheBytesThatEachSocketTookAndDoesNotBlock) {
  std::string large(8 << 20, 'x'), small = "small";
  const iovec much = Of(large), little = Of(small);
  const size_t full = Open(), gone = Open(), well = Open();
  theirs_[gone].Close();
  std::vector<Piece> pieces = {{ours_[full].get(), &much, 1},
                               {ours_[gone].get(), &little, 1},
                               {-1, &little, 1},
                               {ours_[well].get(), &little, 1}};
  writer_->Write(&pieces);
  EXPECT_GT(pieces[0].written, 0u);
  EXPECT_LT(pieces[0].written, large.size());
  EXPECT_EQ(pieces[1].written, 0u) << "and no SIGPIPE";
  EXPECT_EQ(pieces[2].written, 0u);
  EXPECT_EQ(Read(well), "small");
  pieces = {{ours_[full].get(), &little, 1}, {ours_[well].get(), &little, 1}};
  writer_->Write(&pieces);
  EXPECT_EQ(pieces[0].written, 0u) << "it takes nothing now";
  EXPECT_EQ(Read(well), "small");
}

}  // namespace
}  // namespace parley::gateway_test
