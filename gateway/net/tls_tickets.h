// Rotates the keys that seal clients' TLS sessions (RFC 5077; RFC 8446 §4.6.1), so that a client that
// reconnects skips the certificate exchange. OpenSSL would use one key for the life of the process; an
// attacker who stole it could read every resumed TLS 1.2 connection. Here a key issues tickets for kIssueMs,
// is accepted for as long again, and is then deleted.
//
// Thread contract: any thread, since the transports share their context.
#pragma once

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <cstdint>
#include <optional>

#include "protocol/base/mutex.h"

namespace parley::gateway {

struct TlsTicketKey {
  static constexpr int kNameBytes = 16;
  static constexpr int kKeyBytes = 32;
  unsigned char name[kNameBytes];
  unsigned char cipher[kKeyBytes];
  unsigned char mac[kKeyBytes];
};

class TlsTickets {
 public:
  static constexpr int64_t kIssueMs = 60 * 60 * 1000;

  ~TlsTickets();
  // Returns the key for a new ticket, or nullopt if no random bytes are available.
  std::optional<TlsTicketKey> Issuing(int64_t now_ms);
  // Returns the key of that name, if it is still accepted. `renew`: a newer key issues by now.
  std::optional<TlsTicketKey> Named(const unsigned char* name, int64_t now_ms, bool* renew);

 private:
  struct Slot {
    TlsTicketKey key = {};
    int64_t since_ms = INT64_MIN;
  };
  static bool Accepts(const Slot& slot, int64_t now_ms);

  protocol::Mutex mutex_;
  Slot current_ GUARDED_BY(mutex_), previous_ GUARDED_BY(mutex_);
};

}  // namespace parley::gateway
