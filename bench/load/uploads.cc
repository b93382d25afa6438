#include "bench/load/uploads.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "bench/measure/cpu.h"
#include "bench/net/http_call.h"
#include "bench/net/http_client.h"

namespace parley::bench {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;
constexpr int64_t kReadyNs = 30'000'000'000;

// The first text under this name; the names that are asked for are unique.
std::string TextIn(const std::string& json, const std::string& name) {
  const std::string mark = '"' + name + "\":\"";
  const size_t at = json.find(mark);
  if (at == std::string::npos) return {};
  const size_t begin = at + mark.size();
  return json.substr(begin, json.find('"', begin) - begin);
}

void Put32(std::string* out, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out->push_back(static_cast<char>(value >> shift));
}

uint32_t Crc(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0);
  }
  return ~crc;
}

// A zlib stream whose blocks are not compressed (RFC 1950, RFC 1951 §3.2.4).
std::string Stored(std::string_view bytes) {
  uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  std::string out = "\x78\x01";
  for (size_t at = 0; at < bytes.size(); at += 65535) {
    const std::string_view block = bytes.substr(at, 65535);
    const auto size = static_cast<uint16_t>(block.size());
    out.push_back(at + block.size() == bytes.size() ? '\x01' : '\0');  // whether it is the last
    for (const uint16_t word : {size, static_cast<uint16_t>(~size)}) {
      out.push_back(static_cast<char>(word & 0xff));
      out.push_back(static_cast<char>(word >> 8));
    }
    out += block;
  }
  Put32(&out, b << 16 | a);
  return out;
}

void PutChunk(std::string* out, const std::string& name, const std::string& bytes) {
  Put32(out, static_cast<uint32_t>(bytes.size()));
  const std::string summed = name + bytes;
  *out += summed;
  Put32(out, Crc(summed));
}

}  // namespace

Uploader::Uploader(const sockaddr_in& server, const std::string& user) : server_(server) {
  token_ = TextIn(HttpPost(server_, "/v1/demo/token", R"({"userId":")" + user + "\"}").value_or(""), "token");
  const std::string made = Ask("POST", "/v1/ops/thread.create",
                               R"({"kind":"project","buyerUserId":")" + user + R"(","sellerUserId":")" +
                                   user + R"(_seller","clientId":"bench-1"})");
  thread_ = TextIn(made, "threadId");
  if (thread_.empty()) fault_ = "no thread to upload to";
}

std::string Uploader::Ask(const std::string& method, const std::string& path, const std::string& json) {
  std::string request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                        token_ + "\r\nConnection: close\r\n";
  if (!json.empty())
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(json.size()) + "\r\n";
  const HttpAnswer answer = CallHttp(server_, request + "\r\n" + json);
  return answer.status == 200 || answer.status == 201 ? answer.body : std::string();
}

std::optional<std::string> Uploader::Upload(std::string_view bytes, const std::string& mime,
                                            double bytes_per_second) {
  const std::string begun = Ask("POST", "/v1/uploads",
                                R"({"threadId":")" + thread_ + R"(","name":"a","mime":")" + mime +
                                    R"(","size":)" + std::to_string(bytes.size()) + "}");
  const std::string url = TextIn(begun, "uploadUrl");
  if (url.empty()) {
    fault_ = "an upload was refused";
    return std::nullopt;
  }
  if (!Put(url, bytes, bytes_per_second)) {
    fault_ = "the bytes of an upload were refused";
    return std::nullopt;
  }
  return TextIn(begun, "attachmentId");
}

bool Uploader::Put(const std::string& url, std::string_view bytes, double bytes_per_second) {
  const int fd = ConnectTo(server_);
  if (fd < 0) return false;
  const std::string head =
      "PUT " + url +
      " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " + std::to_string(bytes.size()) +
      "\r\n\r\n";
  bool sound = send(fd, head.data(), head.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(head.size());
  const int64_t began = NowNs();
  for (size_t sent = 0; sound && sent < bytes.size();) {
    const size_t most = bytes_per_second > 0 ? kPieceBytes : bytes.size();
    const ssize_t n = send(fd, bytes.data() + sent, std::min(most, bytes.size() - sent), MSG_NOSIGNAL);
    sound = n > 0;
    if (n > 0) sent += static_cast<size_t>(n);
    if (bytes_per_second <= 0) continue;
    const int64_t due = began + static_cast<int64_t>(static_cast<double>(sent) / bytes_per_second * 1e9);
    if (const int64_t left = due - NowNs(); left > 0) usleep(static_cast<useconds_t>(left / 1000));
  }
  std::string answer(64, '\0');
  const ssize_t n = sound ? recv(fd, answer.data(), answer.size(), MSG_WAITALL) : -1;
  close(fd);
  return n > 0 && answer.starts_with("HTTP/1.1 204");
}

std::optional<std::string> Uploader::LinkTo(const std::string& attachment, const std::string& variant) {
  const std::string path = "/v1/files/" + attachment + "?link=1&variant=" + variant;
  for (const int64_t until = NowNs() + kReadyNs; NowNs() < until; usleep(20'000)) {
    if (const std::string url = TextIn(Ask("GET", path, {}), "url"); !url.empty()) return url;
  }
  fault_ = "a file was not ready in time";
  return std::nullopt;
}

std::string ArchiveBytes(size_t size, uint64_t number) {
  std::string out(size, '\0');
  std::mt19937_64 random(number);
  for (size_t at = 0; at + 8 <= size; at += 8) {
    const uint64_t word = random();
    std::memcpy(out.data() + at, &word, sizeof word);
  }
  constexpr std::string_view kMagic("PK\x03\x04", 4);
  std::copy(kMagic.begin(), kMagic.end(), out.begin());
  return out;
}

std::string PictureBytes(uint32_t width, uint32_t height) {
  std::mt19937 random(7);
  std::string rows;
  for (uint32_t y = 0; y < height; ++y) {
    rows.push_back('\0');  // no filter
    for (uint32_t x = 0; x < 3 * width; ++x) rows.push_back(static_cast<char>((x + y) / 8 + random() % 16));
  }
  std::string header;
  Put32(&header, width);
  Put32(&header, height);
  header += std::string("\x08\x02\0\0\0", 5);  // eight bits each of red, green and blue
  std::string out = "\x89PNG\r\n\x1a\n";
  PutChunk(&out, "IHDR", header);
  PutChunk(&out, "IDAT", Stored(rows));
  PutChunk(&out, "IEND", {});
  return out;
}

}  // namespace parley::bench
