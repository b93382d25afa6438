// Handles one accepted TCP (or TLS) connection: readiness, reading into one shared buffer, the outbox, and
// closing so that the last bytes arrive. It knows neither HTTP nor WebSocket, which build on it
// (http_connection.h, ws_connection_transport.h).
//
// Reading: only while the derived class wants input and is not paused; bytes that it does not take are kept
// (at most one read buffer).
// Writing: Enqueue marks the socket dirty; the loop flushes once per turn with one sendmsg of up to kVectors
// pieces.
// Ending: Finish(kLinger) sends FIN, then reads and discards input until the peer closes too. Closing with
// unread input would send RST, which destroys a close frame or a 413 that the peer has not read yet. Bounded
// in time and bytes. Finish(kAbort) resets at once and frees the kernel's buffers.
// Threads: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "gateway/net/asio_loop.h"
#include "gateway/net/descriptor.h"
#include "gateway/net/frame.h"
#include "gateway/net/tls.h"

namespace parley::gateway {

class Socket;

// State shared by all sockets of a transport.
struct SocketPool {
  EventLoop* loop = nullptr;
  std::vector<char> read_buffer;
  int64_t linger_ms = 0;
  size_t linger_bytes_max = 0;  // input discarded while lingering
  LoopCounter bytes_in, bytes_out, writes, batched;
  std::unordered_set<Socket*> stalled;   // sockets for which the kernel accepts no more output
  std::function<void(size_t)> relieve;   // frees this many bytes held for readers
  std::function<void(Socket*)> on_gone;  // the descriptor is closed; may destroy the socket
};

class Socket : public Flushable, private Pollable, public std::enable_shared_from_this<Socket> {
 public:
  enum class Ending { kLinger, kAbort };

  ~Socket() override;

  // `tls` is null for plain TCP. The socket is usable after OnReady. Returns false if the kernel cannot watch
  // it. REQUIRES: `socket` does not block.
  bool Attach(SocketPool* pool, Descriptor socket, std::unique_ptr<TlsStream> tls);
  // Takes over another socket's descriptor, TLS, unwritten output, and the input that it read and did not
  // take, after `first`. `from` is closed without a callback. Do not call it in one of `from`'s callbacks.
  void TakeOver(Socket& from, std::string first);
  void Begin();  // does the TLS handshake, if any, then calls OnReady

  void Enqueue(SharedFramePtr frame);
  void DropUnstartedOutput() { outbox_.DropUnstarted(); }
  // Bytes given to Enqueue and not yet in the kernel.
  size_t unsent_bytes() const { return outbox_.bytes() + (tls_ ? tls_->pending() : 0); }
  // Positions in the output: the bytes up to enqueued_bytes() are written (or dropped) once done_bytes()
  // reaches it.
  uint64_t enqueued_bytes() const { return outbox_.pushed_bytes(); }
  uint64_t done_bytes() const { return enqueued_bytes() - unsent_bytes(); }

  void SetPaused(bool paused);
  bool paused() const { return paused_; }
  void Finish(Ending ending);    // only on_gone is called after it
  virtual void Drop() = 0;       // at once, and informs the layer above
  virtual void Evict() = 0;      // frees nearly all of its memory
  virtual void EndWhenIdle() {}  // closes once its present request is answered
  bool open() const { return state_ == State::kOpen; }

  int Offer(int* descriptor, iovec* vectors, int capacity) override;
  void Took(size_t bytes) override;
  void FlushTurn() override;

 protected:
  // Input may be delivered from now on (not before the call returns to the loop, unless called from OnInput).
  void WantInput();

  virtual void OnReady() = 0;
  // Takes at least one byte and returns how many; called only while input is wanted, and clears the want.
  virtual size_t OnInput(const char* data, size_t size) = 0;
  // Called before input is read after a pause; false prevents the read.
  virtual bool OnResume() = 0;
  virtual void OnFlushed() = 0;   // bytes may have left; see unsent_bytes()
  virtual void OnInputEnd() = 0;  // the peer sends no more
  virtual void OnBroken() = 0;    // the connection is dead

  void CloseNow(Ending ending);  // closes the descriptor now
  void AbandonOutput();          // frees the output and accepts no more. REQUIRES: an abort follows
  bool input_ended() const { return input_ended_; }

  SocketPool* pool_ = nullptr;

 private:
  enum class State : uint8_t { kNew, kHandshaking, kOpen, kLingering, kClosed };

  bool CanDeliver() const { return state_ == State::kOpen && input_wanted_ && !paused_ && !input_ended_; }
  IoResult ReadSome();
  IoResult WriteSome();
  void Handshake();
  void Pump();
  void PostPump();
  void Deliver(const char* data, size_t size);
  void Drain();
  void PostDrain();
  void OnReadiness(Readiness readiness) override;
  void OnReadable();
  void OnWritable();
  void SetStalled(bool stalled);

  Descriptor descriptor_;
  std::unique_ptr<TlsStream> tls_;
  Outbox outbox_;
  std::unique_ptr<Timer> linger_timer_;
  std::string kept_;  // input read but not wanted yet
  size_t lingered_bytes_ = 0;
  State state_ = State::kNew;
  bool input_wanted_ = false;
  bool input_ended_ = false;
  bool paused_ = false;
  bool pumping_ = false;
  bool pump_posted_ = false;
  // The kernel may have input that no event will announce: set by an event, cleared by a read that found no
  // more.
  bool may_read_ = false;
  bool peer_ended_ = false;        // the end, too, comes without an event, after the present input
  bool waiting_writable_ = false;  // until an event reports that the kernel accepts more
  bool read_wants_write_ = false;  // TLS: a read continues when the socket is writable
  bool dirty_ = false;
  bool stalled_ = false;
  bool abandoned_ = false;
};

}  // namespace parley::gateway
