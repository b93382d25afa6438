#include "bench/net/tls_client.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace parley::bench {
namespace {

std::string Reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* const reason = code ? ERR_reason_error_string(code) : nullptr;
  return reason ? reason : "the connection broke";
}

bool IsAddress(const std::string& host) {
  in_addr parsed{};
  return inet_pton(AF_INET, host.c_str(), &parsed) == 1;
}

int AtMost(size_t size) {
  return static_cast<int>(std::min<size_t>(size, INT_MAX));
}

}  // namespace

TlsClient::TlsClient(bool insecure) : context_(SSL_CTX_new(TLS_client_method())), insecure_(insecure) {}

TlsClient::~TlsClient() {
  SSL_CTX_free(context_);
}

std::shared_ptr<const TlsClient> TlsClient::Make(bool insecure, const std::string& ca_file,
                                                 std::string* error) {
  const std::shared_ptr<TlsClient> client(new TlsClient(insecure));
  SSL_CTX* const context = client->get();
  if (!context || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
    *error = "TLS cannot be used: " + Reason();
    return nullptr;
  }
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(context, insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nullptr);
  const int known = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context)
                                    : SSL_CTX_load_verify_locations(context, ca_file.c_str(), nullptr);
  if (known == 1) return client;
  *error = (ca_file.empty() ? "the system's certificates" : ca_file) + ": cannot be read as certificates";
  return nullptr;
}

TlsSession::TlsSession(const TlsClient& client, int descriptor, const std::string& host)
    : ssl_(SSL_new(client.get())) {
  if (!ssl_ || SSL_set_fd(ssl_, descriptor) != 1) {
    fault_ = Reason();
    return;
  }
  SSL_set_connect_state(ssl_);
  if (IsAddress(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_), host.c_str());
  } else {
    SSL_set_tlsext_host_name(ssl_, host.c_str());
    SSL_set1_host(ssl_, host.c_str());
  }
}

TlsSession::~TlsSession() {
  SSL_free(ssl_);
}

ssize_t TlsSession::Send(const char* data, size_t size) {
  if (!fault_.empty()) return Outcome(-1);
  ERR_clear_error();
  return Outcome(SSL_write(ssl_, data, AtMost(size)));
}

ssize_t TlsSession::Recv(char* data, size_t size) {
  if (!fault_.empty()) return Outcome(-1);
  ERR_clear_error();
  return Outcome(SSL_read(ssl_, data, AtMost(size)));
}

ssize_t TlsSession::Outcome(int result) {
  awaits_peer_ = false;
  errno = EPROTO;
  if (!fault_.empty()) return -1;
  if (result > 0) return result;
  switch (SSL_get_error(ssl_, result)) {
    case SSL_ERROR_WANT_READ:
      awaits_peer_ = true;
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_WANT_WRITE:
      errno = EAGAIN;
      return -1;
    case SSL_ERROR_ZERO_RETURN:
      return 0;
    default:
      const long verified = SSL_get_verify_result(ssl_);
      fault_ = verified == X509_V_OK ? Reason() : X509_verify_cert_error_string(verified);
      errno = EPROTO;
      return -1;
  }
}

}  // namespace parley::bench
