// One accepted TCP (or TLS) connection: readiness, reading into one buffer shared by all, the outbox, and
// ending it so that the last bytes arrive. Knows nothing of HTTP or WebSocket; those are above it
// (http_connection.h, policy.h).
//
// Reading: only while the policy wants input and is not paused; what it did not take is kept (at most one
//          read buffer).
// Writing: Enqueue marks the socket dirty; the loop flushes once per turn with one sendmsg of up to
//          kVectors pieces.
// Ending:  Finish(kLinger) sends FIN, then reads and throws away until the peer closes too: closing with
//          unread input would send RST, and RST destroys a close frame or a 413 that the peer has not read
//          yet. Bounded in time and bytes. Finish(kAbort) resets at once and frees what the kernel still
//          holds.
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

// What all sockets of a transport share.
struct SocketPool {
  EventLoop* loop = nullptr;
  std::vector<char> read_buffer;
  int64_t linger_ms = 0;
  size_t linger_bytes_max = 0;  // input thrown away while lingering
  LoopCounter bytes_in, bytes_out, writes, batched;
  std::unordered_set<Socket*> stalled;   // those for which the kernel accepts no more
  std::function<void(size_t)> relieve;   // frees that many bytes of what is held for readers
  std::function<void(Socket*)> on_gone;  // the descriptor is closed; may destroy the socket
};

class Socket : public Flushable, private Pollable, public std::enable_shared_from_this<Socket> {
 public:
  enum class Ending { kLinger, kAbort };

  ~Socket() override;

  // `tls` is null for plain TCP. The socket is usable after OnReady. REQUIRES: `socket` does not block.
  // False: the kernel cannot watch it.
  bool Attach(SocketPool* pool, Descriptor socket, std::unique_ptr<TlsStream> tls);
  // Continues what another socket began: its descriptor and TLS, what it has yet to write, and what it read
  // and did not take, behind `first`. `from` is closed then, without a word to anybody. Not while `from` is
  // in one of its callbacks.
  void TakeOver(Socket& from, std::string first);
  void Begin();  // TLS handshake, if it is still to come, then OnReady

  void Enqueue(SharedFramePtr frame);
  void DropUnstartedOutput() { outbox_.DropUnstarted(); }
  // Given to Enqueue and not yet in the kernel.
  size_t unsent_bytes() const { return outbox_.bytes() + (tls_ ? tls_->pending() : 0); }
  // Positions in the output: what was enqueued up to here is written (or dropped) once done_bytes() reaches
  // it.
  uint64_t enqueued_bytes() const { return outbox_.pushed_bytes(); }
  uint64_t done_bytes() const { return enqueued_bytes() - unsent_bytes(); }

  void SetPaused(bool paused);
  bool paused() const { return paused_; }
  void Finish(Ending ending);    // no callback but on_gone comes after it
  virtual void Drop() = 0;       // at once, telling the layer above
  virtual void Evict() = 0;      // frees its bytes: afterwards it holds next to none
  virtual void EndWhenIdle() {}  // it is to go as soon as it has answered what it was asked
  bool open() const { return state_ == State::kOpen; }

  int Offer(int* descriptor, iovec* vectors, int capacity) override;
  void Took(size_t bytes) override;
  void FlushTurn() override;

 protected:
  // Input may be delivered from now on (not before the call returns to the loop, unless called from OnInput).
  void WantInput();

  virtual void OnReady() = 0;
  // Takes at least one byte and returns how many; called only while input is wanted. Clears the want.
  virtual size_t OnInput(const char* data, size_t size) = 0;
  // Called before input is read after a pause; false prevents the read.
  virtual bool OnResume() = 0;
  virtual void OnFlushed() = 0;   // bytes may have left; unsent_bytes() says
  virtual void OnInputEnd() = 0;  // the peer sends no more
  virtual void OnBroken() = 0;    // the connection is dead

  void CloseNow(Ending ending);  // the descriptor, now
  void AbandonOutput();          // frees it, and accepts no more: REQUIRES that an abort follows
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
  // The kernel may hold input that no event will announce: set by an event, cleared by a read that found the
  // end of what there is.
  bool may_read_ = false;
  bool peer_ended_ = false;        // nothing announces the end either: it is behind what there is
  bool waiting_writable_ = false;  // for the event that the kernel accepts more
  bool read_wants_write_ = false;  // TLS: a read continues when the socket is writable
  bool dirty_ = false;
  bool stalled_ = false;
  bool abandoned_ = false;
};

}  // namespace parley::gateway
