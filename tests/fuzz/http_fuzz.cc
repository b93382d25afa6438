// Reads any bytes as the input of an HTTP peer. The same requests are found however the input is split; no
// request contains a line break that the input lacks; each has the body that it announced, whole or in
// pieces; and written again, each is read as the same request. An upgrade is answered by a handshake of our
// own lines only. As gzip, the bytes never unpack to more than the limit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/net/compression.h"
#include "gateway/net/http_reader.h"
#include "gateway/net/upgrade.h"

namespace {

using namespace parley::gateway;
using At = HttpReader::At;

constexpr size_t kBodyMax = 4096;
constexpr size_t kBudget = 8192;

void Require(bool holds) {
  if (!holds) std::abort();
}

struct Seen {
  HttpRequestHead head;
  std::string body;
  bool keeps_alive = false;
  bool operator==(const Seen& other) const {
    return head.method == other.head.method && head.target == other.head.target &&
           head.headers == other.head.headers && body == other.body && keeps_alive == other.keeps_alive;
  }
};
struct Reading {
  std::vector<Seen> requests;
  int refusal = 0;
  bool operator==(const Reading&) const = default;
};

bool IsOneLine(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

void CheckUpgradeOf(const RequestHead& head) {
  if (!head.asks_for_upgrade || CheckUpgrade(head) != 0) return;
  const auto offered = OfferedSubprotocols(head);
  for (const std::string& name : *offered) {
    const std::string handshake = PlainHandshake(*head.Header("Sec-WebSocket-Key"), name);
    Require(IsOneLine(name) && std::count(handshake.begin(), handshake.end(), '\n') == 8);
  }
}

void CheckRequest(const HttpReader::Request& request) {
  Require(request.body.size() == request.head.length && request.body.size() <= kBodyMax);
  Require(IsOneLine(request.head.method) && IsOneLine(request.head.target) && !request.head.target.empty());
  for (const auto& [name, value] : request.head.headers)
    Require(IsToken(name) && IsOneLine(value) && Trimmed(value) == value);
  CheckUpgradeOf(request.head);
}

// `next` returns the size of each piece of input. `in_pieces`: bodies are read in pieces.
template <typename Next>
Reading Read(std::string_view input, const std::shared_ptr<BodyBudget>& budget, Next next,
             bool in_pieces = false) {
  Reading reading;
  HttpReader reader(budget);
  std::string pieces;
  while (!input.empty()) {
    const size_t piece = std::min(input.size(), next());
    const size_t taken = reader.Take(input.data(), piece);
    Require(taken <= piece && (taken > 0 || reader.at() == At::kRefused));
    input.remove_prefix(taken);
    if (reader.at() == At::kJudge) reader.AllowBody(kBodyMax, in_pieces);
    if (in_pieces) {
      pieces += reader.TakePiece();
      Require(budget->held() == 0 && pieces.size() <= kBodyMax);
    }
    if (reader.at() == At::kWhole) {
      HttpReader::Request request = reader.TakeRequest();
      if (in_pieces) request.body = std::exchange(pieces, {});
      CheckRequest(request);
      reading.requests.push_back({request.head, std::move(request.body), request.head.keeps_alive});
    }
    if (reader.at() != At::kRefused) continue;
    reading.refusal = reader.refusal();
    Require(reading.refusal >= 400 && reader.Take("GET", 3) == 0);
    break;
  }
  return reading;
}

std::string Written(const Seen& seen, bool is_http_1_1) {
  std::string out =
      seen.head.method + " " + seen.head.target + (is_http_1_1 ? " HTTP/1.1\r\n" : " HTTP/1.0\r\n");
  for (const auto& [name, value] : seen.head.headers) out += name + ": " + value + "\r\n";
  if (!seen.head.Header("Transfer-Encoding")) return out + "\r\n" + seen.body;
  char size[24];
  std::snprintf(size, sizeof size, "%zx\r\n", seen.body.size());
  out += "\r\n";
  if (!seen.body.empty()) out += size + seen.body + "\r\n";
  return out + "0\r\n\r\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto budget = std::make_shared<BodyBudget>(kBudget);
  uint32_t seed = 2166136261u;
  for (const char c : input) seed = (seed ^ static_cast<unsigned char>(c)) * 16777619u;
  const auto random = [&seed] {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<size_t>((seed >> 16) % ((seed >> 30) == 0 ? 3 : 100)) + 1;
  };
  const Reading whole = Read(input, budget, [] { return SIZE_MAX; });
  Require(Read(input, budget, random) == whole);
  Require(Read(input, budget, random, true) == whole);
  Require(Read(input, budget, [] { return size_t{1}; }) == whole);
  for (const Seen& seen : whole.requests) {
    const auto is_same = [&](bool is_http_1_1) {
      const Reading again = Read(Written(seen, is_http_1_1), budget, random);
      return again.requests.size() == 1 && again.requests[0] == seen;
    };
    Require(is_same(true) || is_same(false));
  }
  Require(budget->held() == 0);
  std::string unpacked;
  if (Gunzip(input, kBodyMax, &unpacked) == GunzipFault::kNone) Require(unpacked.size() <= kBodyMax);
  return 0;
}
