#include "gateway/net/tls.h"

#include <openssl/err.h>

#include <algorithm>
#include <csignal>

namespace parley::gateway {
namespace {

constexpr size_t kRecordBytes = 16 * 1024;

std::string LastError() {
  char text[256] = "unknown reason";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return text;
}

}  // namespace

std::shared_ptr<TlsContext> TlsContext::Load(const std::string& certificate, const std::string& key,
                                             std::string* error) {
  // OpenSSL writes with write(2): a peer that has gone must cause an error code, not end the process.
  std::signal(SIGPIPE, SIG_IGN);
  auto context = std::make_shared<TlsContext>();
  context->context_.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* ctx = context->get();
  if (ctx == nullptr) {
    *error = "TLS is not available: " + LastError();
    return nullptr;
  }
  SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
  SSL_CTX_set_options(ctx, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(
      ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
  if (SSL_CTX_use_certificate_chain_file(ctx, certificate.c_str()) != 1) {
    *error = "cannot use the TLS certificate " + certificate + ": " + LastError();
    return nullptr;
  }
  if (SSL_CTX_use_PrivateKey_file(ctx, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    *error = "cannot use the TLS key " + key + ": " + LastError();
    return nullptr;
  }
  if (SSL_CTX_check_private_key(ctx) != 1) {
    *error = "the TLS key " + key + " does not belong to the certificate " + certificate;
    return nullptr;
  }
  return context;
}

std::unique_ptr<TlsStream> TlsStream::Accept(const TlsContext& context, int descriptor) {
  auto stream = std::make_unique<TlsStream>();
  stream->ssl_.reset(SSL_new(context.get()));
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
  std::string().swap(pending_);  // assigning an empty one keeps the memory
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
