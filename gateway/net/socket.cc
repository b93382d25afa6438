#include "gateway/net/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace parley::gateway {
namespace {

constexpr int kVectors = 64;       // pieces per sendmsg
constexpr int kReadsPerTurn = 16;  // then other sockets have their turn

// A call that does not block is not interrupted either, so EINTR cannot occur.
IoResult Written(ssize_t n) {
  if (n >= 0) return {IoStatus::kOk, static_cast<size_t>(n)};
  if (errno == EAGAIN) return {IoStatus::kWantWrite};
  return {IoStatus::kFailed};
}

}  // namespace

Socket::~Socket() {
  if (descriptor_.get() >= 0) pool_->loop->ready().Remove(descriptor_.get(), this);
}

bool Socket::Attach(SocketPool* pool, Descriptor socket, std::unique_ptr<TlsStream> tls) {
  if (!pool->loop->ready().Add(socket.get(), this)) return false;
  pool_ = pool;
  descriptor_ = std::move(socket);
  tls_ = std::move(tls);
  // A socket reset before this point reports it at its first read.
  const int on = 1;
  ::setsockopt(descriptor_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return true;
}

void Socket::TakeOver(Socket& from, std::string first) {
  pool_ = from.pool_;
  from.SetStalled(false);
  from.state_ = State::kClosed;
  descriptor_ = std::move(from.descriptor_);
  pool_->loop->ready().HandOver(descriptor_.get(), &from, this);
  may_read_ = from.may_read_;
  peer_ended_ = from.peer_ended_;
  tls_ = std::move(from.tls_);
  outbox_ = std::exchange(from.outbox_, {});
  kept_ = std::move(first) + from.kept_;
  input_ended_ = from.input_ended_;
  state_ = State::kOpen;
  if (unsent_bytes() == 0) return;
  dirty_ = true;
  pool_->loop->AddDirty(shared_from_this());
}

void Socket::Begin() {
  if (state_ == State::kOpen) return OnReady();
  if (tls_) {
    state_ = State::kHandshaking;
    Handshake();
  } else {
    state_ = State::kOpen;
    OnReady();
  }
}

void Socket::Handshake() {
  const IoResult result = tls_->Handshake();
  switch (result.status) {
    case IoStatus::kOk:
      state_ = State::kOpen;
      OnReady();
      break;
    case IoStatus::kWantRead:
    case IoStatus::kWantWrite:
      break;  // any event continues it
    default:
      OnBroken();
  }
}

IoResult Socket::ReadSome() {
  std::vector<char>& buffer = pool_->read_buffer;
  if (tls_) return tls_->Read(buffer.data(), buffer.size());
  const ssize_t n = ::recv(descriptor_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (n > 0) return {IoStatus::kOk, static_cast<size_t>(n)};
  if (n == 0) return {IoStatus::kEnd};
  if (errno == EAGAIN) return {IoStatus::kWantRead};
  return {IoStatus::kFailed};
}

IoResult Socket::WriteSome() {
  iovec vectors[kVectors];
  const int count = outbox_.Fill(vectors, kVectors);
  if (tls_) return tls_->Write(vectors, count);
  if (count == 1)
    return Written(
        ::send(descriptor_.get(), vectors[0].iov_base, vectors[0].iov_len, MSG_DONTWAIT | MSG_NOSIGNAL));
  msghdr message = {};
  message.msg_iov = vectors;
  message.msg_iovlen = static_cast<size_t>(count);
  return Written(::sendmsg(descriptor_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL));
}

void Socket::WantInput() {
  input_wanted_ = true;
  if (pumping_) return;
  // Input may already be in our buffer, inside TLS or in the kernel, and no event will announce it.
  if (may_read_ || !kept_.empty() || tls_) PostPump();
}

void Socket::SetPaused(bool paused) {
  if (paused_ == paused) return;
  paused_ = paused;
  if (!paused && state_ == State::kOpen) PostPump();
}

// Posted, because the caller may be inside another socket's Deliver, which uses the shared read buffer.
void Socket::PostPump() {
  if (pump_posted_) return;
  pump_posted_ = true;
  pool_->loop->Post([self = shared_from_this()] {
    self->pump_posted_ = false;
    if (self->state_ == State::kOpen && !self->paused_ && self->OnResume()) self->Pump();
  });
}

void Socket::Deliver(const char* data, size_t size) {
  while (size > 0 && CanDeliver()) {
    input_wanted_ = false;
    const size_t used = OnInput(data, size);
    data += used;
    size -= used;
  }
  if (size > 0 && state_ == State::kOpen) kept_.append(data, size);
}

void Socket::Pump() {
  if (pumping_) return;
  const auto self = shared_from_this();
  pumping_ = true;
  for (int reads = 0; CanDeliver();) {
    if (!kept_.empty()) {
      const std::string kept = std::exchange(kept_, {});
      Deliver(kept.data(), kept.size());
      continue;
    }
    if (reads++ == kReadsPerTurn) {
      PostPump();
      break;
    }
    const IoResult result = ReadSome();
    if (result.status == IoStatus::kOk) {
      pool_->bytes_in.Add(result.bytes);
      // A short read emptied the kernel's buffer; TLS may have more of the record.
      if (!tls_ && !peer_ended_ && result.bytes < pool_->read_buffer.size()) may_read_ = false;
      Deliver(pool_->read_buffer.data(), result.bytes);
      if (!may_read_ && kept_.empty()) break;
      continue;
    }
    if (result.status == IoStatus::kWantRead) {
      may_read_ = false;
    } else if (result.status == IoStatus::kWantWrite) {
      read_wants_write_ = true;
      waiting_writable_ = true;
    } else if (result.status == IoStatus::kEnd) {
      input_ended_ = true;
      OnInputEnd();
    } else {
      OnBroken();
    }
    break;
  }
  pumping_ = false;
}

void Socket::AbandonOutput() {
  abandoned_ = true;
  outbox_.Clear();
  SetStalled(false);
}

void Socket::SetStalled(bool stalled) {
  if (stalled_ == stalled) return;
  stalled_ = stalled;
  if (stalled) {
    pool_->stalled.insert(this);
  } else {
    pool_->stalled.erase(this);
  }
}

void Socket::Enqueue(SharedFramePtr frame) {
  if (state_ != State::kOpen || abandoned_) return;
  outbox_.Push(std::move(frame));
  if (dirty_ || waiting_writable_) return;
  dirty_ = true;
  pool_->loop->AddDirty(shared_from_this());
}

int Socket::Offer(int* descriptor, iovec* vectors, int capacity) {
  if (state_ != State::kOpen || waiting_writable_ || abandoned_ || tls_) return 0;
  *descriptor = descriptor_.get();
  return outbox_.Fill(vectors, capacity);
}

void Socket::Took(size_t bytes) {
  pool_->writes.Add(1);
  pool_->batched.Add(1);
  outbox_.Consume(bytes);
  pool_->bytes_out.Add(bytes);
}

void Socket::FlushTurn() {
  dirty_ = false;
  if (state_ != State::kOpen || waiting_writable_ || abandoned_) return;
  const auto self = shared_from_this();
  while (unsent_bytes() > 0) {
    const size_t unsent = unsent_bytes();
    const IoResult result = WriteSome();
    pool_->writes.Add(1);
    outbox_.Consume(result.bytes);
    pool_->bytes_out.Add(unsent - unsent_bytes());
    if (result.status == IoStatus::kOk) continue;
    if (result.status == IoStatus::kWantWrite || result.status == IoStatus::kWantRead) {
      // If TLS must read first, it continues with the next input.
      if (result.status == IoStatus::kWantWrite) waiting_writable_ = true;
      break;
    }
    OnBroken();
    return;
  }
  SetStalled(unsent_bytes() > 0);
  OnFlushed();
}

void Socket::OnReadiness(Readiness readiness) {
  const auto self = shared_from_this();
  if (readiness.readable) {
    may_read_ = true;
    peer_ended_ |= readiness.ended;
  }
  if (state_ == State::kHandshaking) return Handshake();
  if (readiness.writable && std::exchange(waiting_writable_, false)) OnWritable();
  if (readiness.readable) OnReadable();
}

void Socket::OnReadable() {
  if (state_ == State::kLingering) {
    Drain();
  } else if (state_ == State::kOpen) {
    Pump();
    if (tls_ && unsent_bytes() > 0) FlushTurn();
  }
}

void Socket::OnWritable() {
  if (state_ != State::kOpen) return;
  FlushTurn();
  if (std::exchange(read_wants_write_, false)) Pump();
}

void Socket::Finish(Ending ending) {
  if (state_ == State::kLingering || state_ == State::kClosed) return;
  const bool peer_is_done = input_ended_;
  SetStalled(false);
  outbox_.Clear();
  kept_ = {};
  if (ending == Ending::kAbort || peer_is_done || state_ != State::kOpen) {
    CloseNow(ending);
    return;
  }
  state_ = State::kLingering;
  if (tls_) tls_->SendCloseNotify();
  ::shutdown(descriptor_.get(), SHUT_WR);
  // Closes normally at the end: the kernel continues to send a slow reader the rest of a download.
  linger_timer_ = pool_->loop->CallAfter(pool_->linger_ms, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->CloseNow(Ending::kLinger);
  });
  PostDrain();
}

void Socket::PostDrain() {
  pool_->loop->Post([self = shared_from_this()] {
    if (self->state_ == State::kLingering) self->Drain();
  });
}

// Discards raw bytes, encrypted or not.
void Socket::Drain() {
  std::vector<char>& buffer = pool_->read_buffer;
  for (int reads = 0; reads < kReadsPerTurn; ++reads) {
    const ssize_t n = ::recv(descriptor_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EAGAIN) return;  // an event will announce more
    if (n <= 0) return CloseNow(Ending::kLinger);
    lingered_bytes_ += static_cast<size_t>(n);
    if (lingered_bytes_ > pool_->linger_bytes_max) return CloseNow(Ending::kAbort);
  }
  PostDrain();
}

void Socket::CloseNow(Ending ending) {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  SetStalled(false);
  linger_timer_.reset();
  if (ending == Ending::kAbort) {
    const linger reset = {1, 0};
    ::setsockopt(descriptor_.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  }
  tls_.reset();
  pool_->loop->ready().Remove(descriptor_.get(), this);
  descriptor_.Close();
  const auto self = shared_from_this();
  if (pool_->on_gone) pool_->on_gone(this);
}

}  // namespace parley::gateway
