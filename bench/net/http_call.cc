#include "bench/net/http_call.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace parley::bench {
namespace {

constexpr size_t kAnswerBytesMax = size_t{16} << 20;

// One connection, blocking.
class Connection {
 public:
  explicit Connection(const Origin& origin) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sound_ = fd_ >= 0 &&
             connect(fd_, reinterpret_cast<const sockaddr*>(&origin.address), sizeof origin.address) == 0;
    if (!sound_) fault_ = std::strerror(errno);
    if (sound_ && origin.tls) tls_ = std::make_unique<TlsSession>(*origin.tls, fd_, origin.host);
  }
  ~Connection() {
    tls_.reset();
    if (fd_ >= 0) close(fd_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Send(const std::string& request) {
    for (size_t sent = 0; sound_ && sent < request.size();) {
      const char* const data = request.data() + sent;
      const size_t left = request.size() - sent;
      const ssize_t n = tls_ ? tls_->Send(data, left) : send(fd_, data, left, MSG_NOSIGNAL);
      sound_ = n > 0;
      if (sound_) sent += static_cast<size_t>(n);
    }
    if (!sound_ && fault_.empty()) fault_ = "the request was not taken";
  }
  // Until the server closes.
  std::string Receive() {
    std::string answer;
    char buffer[16384];
    while (sound_ && answer.size() < kAnswerBytesMax) {
      const ssize_t n = tls_ ? tls_->Recv(buffer, sizeof buffer) : recv(fd_, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      answer.append(buffer, static_cast<size_t>(n));
    }
    return answer;
  }
  std::string fault() const {
    if (tls_ && !tls_->fault().empty()) return "TLS: " + tls_->fault();
    return fault_.empty() ? "the answer is not HTTP/1.1" : fault_;
  }

 private:
  const int fd_;
  std::unique_ptr<TlsSession> tls_;
  bool sound_ = false;
  std::string fault_;
};

HttpAnswer Call(const Origin& origin, const std::string& request) {
  Connection connection(origin);
  connection.Send(request);
  const std::string answer = connection.Receive();
  const size_t head = answer.find("\r\n\r\n");
  if (head == std::string::npos || !answer.starts_with("HTTP/1.1 ")) return {0, connection.fault()};
  return {std::atoi(answer.c_str() + 9), answer.substr(head + 4)};
}

std::optional<std::string> GoodBody(HttpAnswer answer) {
  if (answer.status != 200 && answer.status != 201) return std::nullopt;
  return std::move(answer.body);
}

}  // namespace

HttpAnswer ReadHttp(const Origin& origin, const std::string& path) {
  return Call(origin, "GET " + path + " HTTP/1.1\r\nHost: " + origin.host + "\r\nConnection: close\r\n\r\n");
}

std::optional<std::string> HttpGet(const Origin& origin, const std::string& path) {
  return GoodBody(ReadHttp(origin, path));
}

HttpAnswer AskHttp(const Origin& origin, const std::string& path, const std::string& json,
                   const std::string& bearer) {
  std::string head = "POST " + path + " HTTP/1.1\r\nHost: " + origin.host +
                     "\r\nConnection: close\r\nContent-Type: application/json\r\n";
  if (!bearer.empty()) head += "Authorization: Bearer " + bearer + "\r\n";
  return Call(origin, head + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
}

std::optional<std::string> HttpPost(const Origin& origin, const std::string& path, const std::string& json,
                                    const std::string& bearer) {
  return GoodBody(AskHttp(origin, path, json, bearer));
}

std::optional<double> FindMetric(const std::string& exposition, const std::string& name) {
  std::optional<double> sum;
  for (size_t at = 0; at < exposition.size();) {
    size_t end = exposition.find('\n', at);
    if (end == std::string::npos) end = exposition.size();
    const std::string line = exposition.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(name) || (line[name.size()] != ' ' && line[name.size()] != '{')) continue;
    sum = sum.value_or(0) + std::strtod(line.c_str() + line.rfind(' '), nullptr);
  }
  return sum;
}

}  // namespace parley::bench
