// The certificate and key that all transports of a process present, which may be replaced while they serve:
// handshakes that begin from then on get the new pair, connections that stand keep theirs.
//
// Free of OpenSSL; valid C++17. Thread contract: any thread. Reload reads files: not often.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "protocol/base/mutex.h"

namespace parley::gateway {

class TlsContext;

class TlsIdentity {
 public:
  // Two PEM files, the certificate's with its chain. Null and a sentence for a person in `error` when they
  // cannot be used.
  static std::shared_ptr<TlsIdentity> Load(const std::string& certificate, const std::string& key,
                                           std::string* error);

  // Reads the files again. Empty on success; else why not, and what was there before remains.
  std::string Reload();
  std::shared_ptr<TlsContext> current() const;
  int64_t expires_s() const;  // the certificate's, in Unix time

 private:
  TlsIdentity(std::string certificate, std::string key);

  const std::string certificate_, key_;
  mutable protocol::Mutex mutex_;
  std::shared_ptr<TlsContext> current_ GUARDED_BY(mutex_);
};

}  // namespace parley::gateway
