#include "features/files/disposition.h"

#include <algorithm>
#include <iterator>

#include "protocol/base/encoding.h"

namespace parley::features {
namespace {

// For clients that do not know filename*: everything but plain characters becomes an underscore.
std::string PlainName(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;  // a character in UTF-8
    if (continues) continue;
    const bool plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '/' && c != '%';
    out += plain ? c : '_';
  }
  return out;
}

}  // namespace

bool IsShownInline(std::string_view mime) {
  constexpr std::string_view kInline[] = {"image/jpeg", "image/png",  "image/gif", "image/webp",
                                          "image/avif", "image/heic", "video/mp4", "video/quicktime"};
  return std::find(std::begin(kInline), std::end(kInline), mime) != std::end(kInline);
}

std::string Disposition(std::string_view mime, std::string_view name) {
  std::string out = IsShownInline(mime) ? "inline" : "attachment";
  out += "; filename=\"" + PlainName(name) + "\"; filename*=UTF-8''";
  protocol::AppendPercentEncoded(name, "", &out);
  return out;
}

}  // namespace parley::features
