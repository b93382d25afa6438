// Requests to S3 with retries: each one ends with an answer, a refusal, or the store as unreachable.
//
// Thread contract: thread-safe; each call blocks its thread.
#pragma once

#include "features/files/s3_transfer.h"
#include "features/files/store_health.h"
#include "protocol/base/result.h"

namespace parley::features {

class S3Client {
 public:
  S3Client(S3Settings settings, StoreHealth& health) : transfer_(std::move(settings)), health_(health) {}

  // An answer of status 2xx or 404. UNAVAILABLE: the store refused the request, with the reason in the log,
  // or did not answer in spite of retries.
  protocol::Result<S3Answer> Ask(const S3Request& request, const S3Body& body = {},
                                 size_t body_max = kTextMax);
  const S3Settings& settings() const { return transfer_.settings(); }
  void Stop();

 private:
  static constexpr size_t kTextMax = size_t{4} << 20;

  // Waits before the n-th retry, from 1 on.
  void Rest(int retry);

  S3Transfer transfer_;
  StoreHealth& health_;
  protocol::Mutex mutex_;
  protocol::CondVar stop_;
};

}  // namespace parley::features
