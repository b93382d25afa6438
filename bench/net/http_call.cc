#include "bench/net/http_call.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace parley::bench {
namespace {

std::optional<std::string> Call(const sockaddr_in& address, const std::string& request) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return std::nullopt;
  std::string answer;
  bool sound = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  for (size_t sent = 0; sound && sent < request.size();) {
    const ssize_t n = send(fd, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    sound = n > 0;
    if (sound) sent += static_cast<size_t>(n);
  }
  char buffer[16384];
  while (sound) {
    const ssize_t n = recv(fd, buffer, sizeof buffer, 0);
    if (n <= 0) break;
    answer.append(buffer, static_cast<size_t>(n));
  }
  close(fd);
  const size_t head = answer.find("\r\n\r\n");
  if (!sound || head == std::string::npos || !answer.starts_with("HTTP/1.1 20")) return std::nullopt;
  return answer.substr(head + 4);
}

}  // namespace

std::optional<std::string> HttpGet(const sockaddr_in& address, const std::string& path) {
  return Call(address, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
}

std::optional<std::string> HttpPost(const sockaddr_in& address, const std::string& path,
                                    const std::string& json, const std::string& bearer) {
  std::string head =
      "POST " + path +
      " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
  if (!bearer.empty()) head += "Authorization: Bearer " + bearer + "\r\n";
  return Call(address, head + "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json);
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
