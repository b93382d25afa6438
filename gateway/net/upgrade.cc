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

// A body would be read as frames.
bool HasBody(const HttpRequestHead& head) {
  const std::string* length = head.Header("Content-Length");
  return (length && *length != "0") || head.Header("Transfer-Encoding");
}

// Take the next part of a grammar with the blanks around it. If they return false, `rest` begins at the
// fault.
bool TakeToken(std::string_view* rest) {
  *rest = Trimmed(*rest);
  size_t size = 0;
  while (size < rest->size() && IsToken(rest->substr(size, 1))) ++size;
  rest->remove_prefix(size);
  *rest = Trimmed(*rest);
  return size > 0;
}
bool TakeCharacter(char c, std::string_view* rest) {
  if (rest->empty() || rest->front() != c) return false;
  *rest = Trimmed(rest->substr(1));
  return true;
}
// A token, or a token in quotes.
bool TakeValue(std::string_view* rest) {
  if (!TakeCharacter('"', rest)) return TakeToken(rest);
  return TakeToken(rest) && TakeCharacter('"', rest);
}

// One extension with its parameters (RFC 6455 §9.1).
bool TakeExtension(std::string_view* rest) {
  if (!TakeToken(rest)) return false;
  while (TakeCharacter(';', rest)) {
    if (!TakeToken(rest) || (TakeCharacter('=', rest) && !TakeValue(rest))) return false;
  }
  return true;
}

// We offer no extension, but a malformed header makes the handshake malformed.
bool HasReadableExtensions(const HttpRequestHead& head) {
  const std::string* lines = head.Header("Sec-WebSocket-Extensions");
  if (!lines) return true;
  for (std::string_view rest = *lines;;) {
    if (!TakeExtension(&rest)) return false;
    if (rest.empty()) return true;
    if (!TakeCharacter(',', &rest)) return false;
  }
}

}  // namespace

int CheckUpgrade(const HttpRequestHead& head) {
  const std::string* version = head.Header("Sec-WebSocket-Version");
  if (!version || *version != "13") return 426;
  const std::string* key = head.Header("Sec-WebSocket-Key");
  if (head.method != "GET" || HasBody(head) || !key || !IsHandshakeKey(*key)) return 400;
  if (!HasReadableExtensions(head)) return 400;
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
