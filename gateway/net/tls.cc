#include "gateway/net/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace parley::gateway {
namespace {

constexpr size_t kRecordBytes = 16 * 1024;

// Every browser of the last ten years supports these. All suites of TLS 1.3 are good.
constexpr char kCiphers12[] =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr char kGroups[] = "X25519:P-256:P-384";

std::string LastError() {
  char text[256] = "unknown reason";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return text;
}

// A server cannot ask a person for a password.
int NoPassword(char*, int, int, void*) {
  return 0;
}

int64_t NowMs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::optional<TlsTicketKey> KeyOfTicket(TlsTickets* tickets, unsigned char* name, unsigned char* iv,
                                        bool seals, bool* renew) {
  if (!seals) return tickets->Named(name, NowMs(), renew);
  if (RAND_bytes(iv, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) != 1) return std::nullopt;
  const auto key = tickets->Issuing(NowMs());
  if (key) std::memcpy(name, key->name, sizeof key->name);
  return key;
}

// The callback of SSL_CTX_set_tlsext_ticket_key_evp_cb: 0 means no ticket, or to ignore it; 2, to renew it.
int SealTicket(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher, EVP_MAC_CTX* mac,
               int seals) {
  auto* tickets = static_cast<TlsTickets*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
  bool renew = false;
  auto key = KeyOfTicket(tickets, name, iv, seals == 1, &renew);
  if (!key) return 0;
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key->mac, sizeof key->mac),
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()};
  const bool ready = EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), nullptr, key->cipher, iv, seals) == 1 &&
                     EVP_MAC_CTX_set_params(mac, parameters) == 1;
  OPENSSL_cleanse(&*key, sizeof *key);
  if (!ready) return -1;
  return renew ? 2 : 1;
}

}  // namespace

std::shared_ptr<TlsContext> TlsContext::Load(const std::string& certificate, const std::string& key,
                                             std::string* error) {
  // OpenSSL uses write(2): if the peer has gone, this must return an error and not end the process.
  std::signal(SIGPIPE, SIG_IGN);
  auto context = std::make_shared<TlsContext>();
  context->context_.reset(SSL_CTX_new(TLS_server_method()));
  *error = context->Configure();
  if (error->empty()) *error = context->UseCertificate(certificate);
  if (error->empty()) *error = context->UseKey(key);
  ERR_clear_error();
  return error->empty() ? context : nullptr;
}

std::string TlsContext::Configure() {
  SSL_CTX* ctx = get();
  if (ctx == nullptr || SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(ctx, kCiphers12) != 1 || SSL_CTX_set1_groups_list(ctx, kGroups) != 1 ||
      SSL_CTX_set_tlsext_ticket_key_evp_cb(ctx, &SealTicket) != 1) {
    return "TLS is not available: " + LastError();
  }
  SSL_CTX_set_app_data(ctx, &tickets_);
  SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF |
                               SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  SSL_CTX_set_mode(
      ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_timeout(ctx, TlsTickets::kIssueMs / 1000);
  SSL_CTX_set_num_tickets(ctx, 1);  // a client keeps one connection, not a pool of them
  return {};
}

std::string TlsContext::UseCertificate(const std::string& path) {
  if (SSL_CTX_use_certificate_chain_file(get(), path.c_str()) != 1)
    return "cannot use the TLS certificate " + path + ": " + LastError();
  tm until = {};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(SSL_CTX_get0_certificate(get())), &until) != 1)
    return "cannot use the TLS certificate " + path + ": it does not say how long it is valid";
  expires_s_ = ::timegm(&until);
  return {};
}

// Checks the mode of the open file, not of its name, which another process may replace in between.
std::string TlsContext::UseKey(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), &std::fclose);
  struct stat status = {};
  if (!file || ::fstat(::fileno(file.get()), &status) != 0)
    return "cannot read the TLS key " + path + ": " + std::strerror(errno);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return "the TLS key " + path + " is open to other users: chmod 600 " + path;
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(
      PEM_read_PrivateKey(file.get(), nullptr, &NoPassword, nullptr), &EVP_PKEY_free);
  if (key && X509_check_private_key(SSL_CTX_get0_certificate(get()), key.get()) != 1)
    return "the TLS key " + path + " does not belong to the certificate";
  if (!key || SSL_CTX_use_PrivateKey(get(), key.get()) != 1)
    return "cannot use the TLS key " + path + ": " + LastError();
  return {};
}

std::unique_ptr<TlsStream> TlsStream::Accept(std::shared_ptr<TlsContext> context, int descriptor) {
  auto stream = std::make_unique<TlsStream>();
  stream->ssl_.reset(SSL_new(context->get()));
  stream->context_ = std::move(context);
  if (stream->ssl_ == nullptr || SSL_set_fd(stream->ssl_.get(), descriptor) != 1) {
    ERR_clear_error();
    return nullptr;
  }
  SSL_set_accept_state(stream->ssl_.get());
  return stream;
}

IoResult TlsStream::Outcome(int result) {
  if (result > 0) return {IoStatus::kOk, static_cast<size_t>(result)};
  const int reason = SSL_get_error(ssl_.get(), result);
  ERR_clear_error();
  switch (reason) {
    case SSL_ERROR_WANT_READ:
      return {IoStatus::kWantRead};
    case SSL_ERROR_WANT_WRITE:
      return {IoStatus::kWantWrite};
    case SSL_ERROR_ZERO_RETURN:
      return {IoStatus::kEnd};
    default:
      return {IoStatus::kFailed};
  }
}

IoResult TlsStream::Handshake() {
  return Outcome(SSL_do_handshake(ssl_.get()));
}

IoResult TlsStream::Read(char* data, size_t size) {
  return Outcome(SSL_read(ssl_.get(), data, static_cast<int>(std::min(size, kRecordBytes))));
}

IoResult TlsStream::FlushPending() {
  while (pending() > 0) {
    const IoResult result =
        Outcome(SSL_write(ssl_.get(), pending_.data() + pending_done_, static_cast<int>(pending())));
    if (result.status != IoStatus::kOk) return result;
    pending_done_ += result.bytes;
  }
  std::string().swap(pending_);  // assigning an empty string would keep the memory
  pending_done_ = 0;
  return {IoStatus::kOk};
}

IoResult TlsStream::Write(const iovec* vectors, int count) {
  if (const IoResult before = FlushPending(); before.status != IoStatus::kOk) return before;
  for (int i = 0; i < count && pending_.size() < kRecordBytes; ++i) {
    const size_t room = kRecordBytes - pending_.size();
    pending_.append(static_cast<const char*>(vectors[i].iov_base), std::min(room, vectors[i].iov_len));
  }
  const size_t taken = pending_.size();
  IoResult result = FlushPending();
  result.bytes = taken;
  return result;
}

void TlsStream::SendCloseNotify() {
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

}  // namespace parley::gateway
