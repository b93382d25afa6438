// Owns the certificate and key that all transports of a process present. They may be replaced at run time:
// later handshakes use the new pair, open connections keep theirs.
//
// Free of OpenSSL; valid C++17. Thread contract: any thread. Reload reads files, so call it rarely.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "protocol/base/mutex.h"

namespace parley::gateway {

class TlsContext;

class TlsIdentity {
 public:
  // Loads two PEM files, the certificate's with its chain. Returns null, and a sentence for a person in
  // `error`, if they cannot be used.
  static std::shared_ptr<TlsIdentity> Load(const std::string& certificate, const std::string& key,
                                           std::string* error);

  // Reads the files again. Returns "" on success, else the reason; then the old pair stays.
  std::string Reload();
  std::shared_ptr<TlsContext> current() const;
  int64_t expires_s() const;  // when the certificate expires, in Unix time

 private:
  TlsIdentity(std::string certificate, std::string key);

  const std::string certificate_, key_;
  mutable protocol::Mutex mutex_;
  std::shared_ptr<TlsContext> current_ GUARDED_BY(mutex_);
};

}  // namespace parley::gateway
