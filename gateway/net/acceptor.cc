#include "gateway/net/acceptor.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>

namespace parley::gateway {
namespace {

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

asio::ip::tcp::endpoint Resolve(asio::io_context& io, const std::string& host, uint16_t port,
                                asio::error_code& error) {
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';  // [::1]
  const auto address = asio::ip::make_address(bracketed ? host.substr(1, host.size() - 2) : host, error);
  if (!error) return {address, port};
  asio::ip::tcp::resolver resolver(io);
  const auto found = resolver.resolve(host, std::to_string(port), asio::ip::resolver_base::passive, error);
  return error ? asio::ip::tcp::endpoint() : found.begin()->endpoint();
}

asio::ip::address Plain(const asio::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
}

}  // namespace

std::string Acceptor::Listen(const TransportSettings& settings) {
  reserve_ = settings.descriptor_reserve;
  retry_ms_ = settings.accept_retry_ms;
  const std::string where = settings.host + ":" + std::to_string(settings.port);
  asio::error_code error;
  const asio::ip::tcp::endpoint endpoint = Resolve(loop_->io(), settings.host, settings.port, error);
  if (error) return "cannot listen on " + where + ": no such address (" + error.message() + ")";
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error && settings.share_port) acceptor_.set_option(ReusePort(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (!error) acceptor_.non_blocking(true, error);
  if (!error) port_ = acceptor_.local_endpoint(error).port();
  if (error) {
    Stop();
    return "cannot listen on " + where + ": " + error.message();
  }
  Wait();
  return {};
}

void Acceptor::Stop() {
  retry_timer_.reset();
  asio::error_code ignored;
  acceptor_.close(ignored);
}

void Acceptor::Wait() {
  acceptor_.async_wait(asio::socket_base::wait_read, [this](const asio::error_code& error) {
    if (!error) AcceptSome();
  });
}

void Acceptor::AcceptSome() {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    asio::ip::tcp::endpoint peer;
    auto size = static_cast<socklen_t>(peer.capacity());
    // Not through asio, which would register the socket for its own events.
    Descriptor socket(::accept4(acceptor_.native_handle(), peer.data(), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() >= 0) {
      peer.resize(size);
      const bool scarce = IsScarce(socket.get());
      taken_(std::move(socket), Plain(peer.address()), scarce);
      continue;
    }
    if (errno == EAGAIN) break;
    if (errno == ECONNABORTED || errno == EINTR) continue;
    errors_.Add(1);
    retry_timer_ = loop_->CallAfter(retry_ms_, [this] { Retry(); });
    return;
  }
  if (acceptor_.is_open()) Wait();
}

void Acceptor::Retry() {
  if (!retry_timer_) return;
  retry_timer_.reset();
  if (acceptor_.is_open()) Wait();
}

// The kernel always hands out the lowest free number, so a high number means that few are left.
bool Acceptor::IsScarce(int descriptor) const {
  rlimit limit = {};
  if (reserve_ == 0 || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  return static_cast<rlim_t>(descriptor) + reserve_ >= limit.rlim_cur;
}

}  // namespace parley::gateway
