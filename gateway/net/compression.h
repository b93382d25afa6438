// Answers in gzip: which may be, for whom, and made where; and requests in gzip. Valid C++17.
//
// Short answers are compressed on the loop, in well under a millisecond; long ones by a thread of its own, so
// that nobody waits for another's answer; what is known at the start is compressed then, once.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "gateway/net/http.h"
#include "protocol/base/mutex.h"

namespace parley::gateway {

constexpr size_t kCompressedBytesMin = 1024;        // shorter ones stay as they are
constexpr size_t kCompressedOnLoopMax = 64 * 1024;  // longer ones are the Compressor's

// Whether an Accept-Encoding (null: there is none) prefers gzip to the plain text (RFC 9110 §12.5.3). One
// that cannot be read asks for nothing.
bool PrefersGzip(const std::string* accept_encoding);

// Whether it is text of some length that says nothing against it. Thread contract: any thread.
bool IsCompressible(const HttpResponse& response);
// How a cache must tell variants apart (Vary), compressed or not.
void SetVary(HttpResponse* response);
void SetGzipped(HttpResponse* response, std::string body);

enum class GzipEffort { kQuick, kUsual, kBest };
// Nothing when there is no memory for it, or it would not be shorter. Thread contract: any thread.
std::optional<std::string> Gzip(std::string_view text, GzipEffort effort);
// For answers that are the same every time, such as files: made once, ahead of time.
std::shared_ptr<const std::string> GzipAhead(const HttpResponse& response);

enum class GunzipFault { kNone, kDamaged, kTooLarge };
// What gzip holds (RFC 1952, of one member or several), with at most `bytes_max` taken into memory.
// kDamaged: also where it ends too early, or something follows it. Thread contract: any thread.
[[nodiscard]] GunzipFault Gunzip(std::string_view bytes, size_t bytes_max, std::string* out);

// Thread contract: any thread; `done` is called on its own.
class Compressor {
 public:
  static constexpr size_t kWaitingBytesMax = size_t{32} << 20;  // of text; one is always taken

  // `compressed`: nothing when it stays as it is.
  using Done = std::function<void(std::string text, std::optional<std::string> compressed)>;

  Compressor();
  ~Compressor();
  // Takes the text, unless too much waits already or it was stopped: then false, and the text remains.
  bool Submit(std::string* text, Done done);
  // Drops what waits, unanswered; returns when nothing is called any more.
  void Stop();

 private:
  struct Job {
    std::string text;
    Done done;
  };
  void Run();
  std::optional<Job> Take();

  protocol::Mutex mutex_;
  protocol::CondVar wake_;
  std::deque<Job> waiting_ GUARDED_BY(mutex_);
  size_t waiting_bytes_ GUARDED_BY(mutex_) = 0;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace parley::gateway
