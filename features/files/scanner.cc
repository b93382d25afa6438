#include "features/files/scanner.h"

#include <charconv>

namespace parley::features {
namespace {

constexpr std::string_view kClamd = "clamd:";
constexpr size_t kPathMax = 107;  // bytes in the address of a Unix socket

std::optional<ScanChoice> ClamdAt(std::string_view address) {
  ScanChoice out;
  out.by = ScanChoice::By::kClamd;
  if (address.starts_with('/')) {
    out.path = address;
    return address.size() <= kPathMax ? std::optional(out) : std::nullopt;
  }
  const size_t colon = address.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view port = address.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  if (error != std::errc() || end != port.data() + port.size() || out.port == 0) return std::nullopt;
  std::string_view host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  out.host = host;
  return out;
}

}  // namespace

std::optional<ScanChoice> ParseScanChoice(std::string_view text) {
  ScanChoice out;
  if (text == "none") return out;
  if (text.starts_with(kClamd)) return ClamdAt(text.substr(kClamd.size()));
  if (text != "service") return std::nullopt;
  out.by = ScanChoice::By::kService;
  return out;
}

}  // namespace parley::features
