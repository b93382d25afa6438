#include "gateway/net/tls_tickets.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <cstring>

namespace parley::gateway {

TlsTickets::~TlsTickets() {
  protocol::MutexLock lock(&mutex_);
  OPENSSL_cleanse(&current_, sizeof current_);
  OPENSSL_cleanse(&previous_, sizeof previous_);
}

bool TlsTickets::Accepts(const Slot& slot, int64_t now_ms) {
  return slot.since_ms != INT64_MIN && now_ms < slot.since_ms + 2 * kIssueMs;
}

std::optional<TlsTicketKey> TlsTickets::Issuing(int64_t now_ms) {
  protocol::MutexLock lock(&mutex_);
  if (current_.since_ms == INT64_MIN || now_ms >= current_.since_ms + kIssueMs) {
    Slot next;
    next.since_ms = now_ms;
    if (RAND_bytes(reinterpret_cast<unsigned char*>(&next.key), sizeof next.key) != 1) return std::nullopt;
    previous_ = current_;
    current_ = next;
  }
  return current_.key;
}

std::optional<TlsTicketKey> TlsTickets::Named(const unsigned char* name, int64_t now_ms, bool* renew) {
  protocol::MutexLock lock(&mutex_);
  for (const Slot* slot : {&current_, &previous_}) {
    if (!Accepts(*slot, now_ms) || std::memcmp(slot->key.name, name, sizeof slot->key.name) != 0) continue;
    *renew = now_ms >= slot->since_ms + kIssueMs;
    return slot->key;
  }
  return std::nullopt;
}

}  // namespace parley::gateway
