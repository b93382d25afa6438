#include "features/files/magic.h"

#include <algorithm>
#include <iterator>

namespace parley::features {
namespace {

using namespace std::string_view_literals;

bool HasAt(std::string_view head, size_t at, std::string_view bytes) {
  return head.size() >= at && head.substr(at).starts_with(bytes);
}

// ISO/IEC 14496-12 §4.3: a box `ftyp` with the major brand and compatible brands.
bool HasBrand(std::string_view head, std::initializer_list<std::string_view> brands) {
  if (!HasAt(head, 4, "ftyp"sv) || head.size() < 16) return false;
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<unsigned char>(head[at])); };
  const size_t box = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
  const size_t end = std::min(box, head.size());
  for (size_t at = 8; at + 4 <= end; at += at == 8 ? 8 : 4) {
    const std::string_view brand = head.substr(at, 4);
    if (std::find(brands.begin(), brands.end(), brand) != brands.end()) return true;
  }
  return false;
}

bool IsJpeg(std::string_view head) {
  return HasAt(head, 0, "\xff\xd8\xff"sv);
}
bool IsPng(std::string_view head) {
  return HasAt(head, 0, "\x89PNG\r\n\x1a\n"sv);
}
bool IsGif(std::string_view head) {
  return HasAt(head, 0, "GIF87a"sv) || HasAt(head, 0, "GIF89a"sv);
}
bool IsWebp(std::string_view head) {
  return HasAt(head, 0, "RIFF"sv) && HasAt(head, 8, "WEBP"sv);
}
bool IsHeic(std::string_view head) {
  return HasBrand(head, {"heic", "heix", "heim", "heis", "mif1", "msf1"});
}
bool IsAvif(std::string_view head) {
  return HasBrand(head, {"avif", "avis"});
}
bool IsMp4(std::string_view head) {
  return HasBrand(head,
                  {"isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "dash", "M4V ", "M4VP"});
}
bool IsQuickTime(std::string_view head) {
  return HasBrand(head, {"qt  "}) || HasAt(head, 4, "moov"sv) || HasAt(head, 4, "mdat"sv) ||
         HasAt(head, 4, "wide"sv);
}
// Some readers accept other bytes before the header. Those are hiding places, so they are rejected.
bool IsPdf(std::string_view head) {
  return HasAt(head, 0, "%PDF-"sv);
}
bool IsZip(std::string_view head) {
  return HasAt(head, 0, "PK\x03\x04"sv) || HasAt(head, 0, "PK\x05\x06"sv);
}
// An office document is a zip archive whose first entries name its parts (ECMA-376 part 2).
bool IsOffice(std::string_view head) {
  return HasAt(head, 0, "PK\x03\x04"sv) && (head.find("[Content_Types].xml") != std::string_view::npos ||
                                            head.find("_rels/.rels") != std::string_view::npos ||
                                            head.find("docProps/") != std::string_view::npos);
}

// A text contains no NUL. It is never shown inline, so a page in it stays inert.
bool IsText(std::string_view head) {
  return head.find('\0') == std::string_view::npos;
}

struct TypeTest {
  std::string_view mime;
  bool (*fits)(std::string_view head);
};
constexpr TypeTest kTests[] = {
    {"image/jpeg", IsJpeg},
    {"image/png", IsPng},
    {"image/gif", IsGif},
    {"image/webp", IsWebp},
    {"image/heic", IsHeic},
    {"image/heif", IsHeic},
    {"image/avif", IsAvif},
    {"video/mp4", IsMp4},
    {"video/quicktime", IsQuickTime},
    {"application/pdf", IsPdf},
    {"application/zip", IsZip},
    {"text/plain", IsText},
    {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", IsOffice},
    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", IsOffice},
    {"application/vnd.openxmlformats-officedocument.presentationml.presentation", IsOffice},
};

}  // namespace

bool FitsType(std::string_view mime, std::string_view head) {
  const auto* const found = std::find_if(std::begin(kTests), std::end(kTests),
                                         [&](const TypeTest& one) { return one.mime == mime; });
  return found != std::end(kTests) && found->fits(head.substr(0, kMagicBytes));
}

}  // namespace parley::features
