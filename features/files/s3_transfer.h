// Sends signed requests to S3 with libcurl and reads the answers. Connections are kept and used again.
//
// Thread contract: thread-safe; each call blocks its thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/files/posix_file.h"
#include "features/files/s3_signature.h"
#include "protocol/base/mutex.h"

namespace parley::features {

// The bytes of a request: a text, or a part of a file, which is read while it is sent.
struct S3Body {
  std::string_view text = {};
  const PosixFile* file = nullptr;
  int64_t offset = 0, size = 0;  // the file's part
};

struct S3Answer {
  int status = 0;       // 0: no answer came
  std::string body;     // the answer to GET or POST; at most `body_max` of Send
  std::string etag;     // as sent
  int64_t length = -1;  // Content-Length; -1: none
  std::string trouble;  // why no answer came
};

class S3Transfer {
 public:
  explicit S3Transfer(S3Settings settings);
  ~S3Transfer();

  // One attempt. A body larger than `body_max` bytes counts as no answer.
  S3Answer Send(const S3Request& request, const S3Body& body, size_t body_max);
  const S3Settings& settings() const { return settings_; }
  // Ends running attempts; later ones end at once.
  void Stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  void* Take();  // a CURL handle
  void Give(void* handle);

  const S3Settings settings_;
  std::atomic<bool> stopped_ = false;
  protocol::Mutex mutex_;
  std::vector<void*> idle_ GUARDED_BY(mutex_);  // as many as threads have called at the same time
};

}  // namespace parley::features
