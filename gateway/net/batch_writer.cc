#include "gateway/net/batch_writer.h"

#include <liburing.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace parley::gateway {
namespace {

class UringWriter final : public BatchWriter {
 public:
  ~UringWriter() override { Leave(); }

  bool Enter() {
    constexpr unsigned kEntries = kPiecesMax;
    // Only one thread submits, and it need not be interrupted for completions; a piece that fails does not
    // stop those after it. Older kernels lack some of these flags.
    constexpr unsigned kFlags =
        IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN | IORING_SETUP_SINGLE_ISSUER;
    entered_ = ::io_uring_queue_init(kEntries, &ring_, kFlags) == 0;
    return entered_;
  }

  void Write(std::vector<Piece>* pieces) override {
    if (!entered_) return;
    for (size_t i = 0; i < pieces->size(); ++i) Prepare((*pieces)[i], i);
    for (size_t left = pieces->size(); left > 0;) {
      const int submitted = ::io_uring_submit_and_wait(&ring_, static_cast<unsigned>(left));
      // Pieces not submitted must not be written later by the kernel, so close the ring.
      if (submitted < 0 && submitted != -EINTR) return Leave();
      left -= Reap(pieces);
    }
  }

 private:
  void Prepare(const Piece& piece, size_t index) {
    msghdr& message = messages_[index];
    message = {};
    message.msg_iov =
        const_cast<iovec*>(piece.vectors);  // NOLINT: POSIX's interface; sending changes nothing
    message.msg_iovlen = piece.count;
    io_uring_sqe* const entry = ::io_uring_get_sqe(&ring_);  // never null: all entries are free between calls
    ::io_uring_prep_sendmsg(entry, piece.descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    ::io_uring_sqe_set_data64(entry, index);
  }

  size_t Reap(std::vector<Piece>* pieces) {
    io_uring_cqe* done = nullptr;
    unsigned head = 0, count = 0;
    io_uring_for_each_cqe(&ring_, head, done) {
      ++count;
      if (done->res > 0) (*pieces)[done->user_data].written = static_cast<size_t>(done->res);
    }
    ::io_uring_cq_advance(&ring_, count);
    return count;
  }

  void Leave() {
    if (entered_) ::io_uring_queue_exit(&ring_);
    entered_ = false;
  }

  io_uring ring_ = {};
  bool entered_ = false;
  std::array<msghdr, kPiecesMax> messages_;
};

}  // namespace

std::unique_ptr<BatchWriter> BatchWriter::New() {
  auto writer = std::make_unique<UringWriter>();
  if (!writer->Enter()) return nullptr;
  return writer;
}

}  // namespace parley::gateway
