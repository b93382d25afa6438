// Compresses answers with gzip, and unpacks requests. Valid C++17.
//
// Short answers are compressed on the loop, in well under a millisecond; long ones on the Compressor's
// thread, so that they delay no other answer; answers that never change, once at start.
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

constexpr size_t kCompressedBytesMin = 1024;        // shorter bodies are not compressed
constexpr size_t kCompressedOnLoopMax = 64 * 1024;  // longer ones are left to the Compressor

// Returns true if an Accept-Encoding (null if absent) prefers gzip to identity (RFC 9110 §12.5.3); false if
// it is malformed.
bool PrefersGzip(const std::string* accept_encoding);

// Returns true for text of some length whose headers allow compression. Thread contract: any thread.
bool IsCompressible(const HttpResponse& response);
// Tells caches to distinguish variants (Vary); set whether compressed or not.
void SetVary(HttpResponse* response);
void SetGzipped(HttpResponse* response, std::string body);

enum class GzipEffort { kQuick, kUsual, kBest };
// Returns nullopt if memory is short or the result is not shorter. Thread contract: any thread.
std::optional<std::string> Gzip(std::string_view text, GzipEffort effort);
// Compresses an answer that never changes, such as a file, once and ahead of time.
std::shared_ptr<const std::string> GzipAhead(const HttpResponse& response);

enum class GunzipFault { kNone, kDamaged, kTooLarge };
// Unpacks gzip (RFC 1952) of one or several members, into at most `bytes_max`. kDamaged: also if it is
// truncated or other bytes follow. Thread contract: any thread.
[[nodiscard]] GunzipFault Gunzip(std::string_view bytes, size_t bytes_max, std::string* out);

// Compresses long answers on its own thread, on which `done` is called. Thread contract: any thread.
class Compressor {
 public:
  static constexpr size_t kWaitingBytesMax = size_t{32}
                                             << 20;  // limits the waiting text; one text is always accepted

  // `compressed`: nullopt if the text should be sent uncompressed.
  using Done = std::function<void(std::string text, std::optional<std::string> compressed)>;

  Compressor();
  ~Compressor();
  // Takes over the text. Returns false, and leaves the text, if too much waits or the Compressor was stopped.
  bool Submit(std::string* text, Done done);
  // Drops waiting jobs without calling `done`; returns once no call is running.
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
