#include "gateway/net/upgrade.h"

#include <algorithm>

#include "gateway/net/header.h"

namespace parley::gateway {
namespace {

bool IsBase64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

// 16 bytes in base64 (RFC 6455 §4.1).
bool IsHandshakeKey(std::string_view key) {
  return key.size() == 24 && key.substr(22) == "==" && std::all_of(key.begin(), key.end() - 2, IsBase64);
}

bool HasLength(const HttpRequestHead& head) {
  const std::string* length = head.Header("Content-Length");
  return length && *length != "0";
}

}  // namespace

int CheckUpgrade(const HttpRequestHead& head) {
  const std::string* version = head.Header("Sec-WebSocket-Version");
  if (!version || *version != "13") return 426;
  const std::string* key = head.Header("Sec-WebSocket-Key");
  if (head.method != "GET" || HasLength(head) || !key || !IsHandshakeKey(*key)) return 400;
  return OfferedSubprotocols(head) ? 0 : 400;
}

std::optional<std::vector<std::string>> OfferedSubprotocols(const HttpRequestHead& head) {
  std::vector<std::string> offered;
  const std::string* lines = head.Header("Sec-WebSocket-Protocol");
  if (!lines) return offered;
  for (std::string_view rest = *lines;;) {
    const size_t comma = rest.find(',');
    const std::string_view name = Trimmed(rest.substr(0, comma));
    if (!IsToken(name)) return std::nullopt;
    offered.emplace_back(name);
    if (comma == std::string_view::npos) return offered;
    rest.remove_prefix(comma + 1);
  }
}

std::string PlainHandshake(std::string_view key, const std::string& subprotocol) {
  std::string out =
      "GET / HTTP/1.1\r\nHost: parley\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ";
  out.append(key).append("\r\n");
  if (!subprotocol.empty()) out += "Sec-WebSocket-Protocol: " + subprotocol + "\r\n";
  return out + "\r\n";
}

}  // namespace parley::gateway
