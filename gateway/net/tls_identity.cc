#include "gateway/net/tls_identity.h"

#include <utility>

#include "gateway/net/tls.h"

namespace parley::gateway {

TlsIdentity::TlsIdentity(std::string certificate, std::string key)
    : certificate_(std::move(certificate)), key_(std::move(key)) {}

std::shared_ptr<TlsIdentity> TlsIdentity::Load(const std::string& certificate, const std::string& key,
                                               std::string* error) {
  std::shared_ptr<TlsIdentity> identity(new TlsIdentity(certificate, key));
  *error = identity->Reload();
  return error->empty() ? identity : nullptr;
}

std::string TlsIdentity::Reload() {
  std::string error;
  std::shared_ptr<TlsContext> context = TlsContext::Load(certificate_, key_, &error);
  if (!context) return error;
  protocol::MutexLock lock(&mutex_);
  current_ = std::move(context);
  return {};
}

std::shared_ptr<TlsContext> TlsIdentity::current() const {
  protocol::MutexLock lock(&mutex_);
  return current_;
}

int64_t TlsIdentity::expires_s() const {
  return current()->expires_s();
}

}  // namespace parley::gateway
