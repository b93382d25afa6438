#include "threads/messages/emoji.h"

#include <unicode/uchar.h>
#include <unicode/ustring.h>
#include <array>

namespace parley::threads {

bool IsOneEmoji(std::string_view text) {
  constexpr size_t kUnitsMax = 64;  // longer than any emoji: these have fewer than 20
  if (text.empty() || text.size() > kUnitsMax) return false;
  std::array<UChar, kUnitsMax> utf16;
  int32_t size = 0;
  UErrorCode error = U_ZERO_ERROR;
  u_strFromUTF8(utf16.data(), static_cast<int32_t>(utf16.size()), &size, text.data(),
                static_cast<int32_t>(text.size()), &error);
  return U_SUCCESS(error) && u_stringHasBinaryProperty(utf16.data(), size, UCHAR_RGI_EMOJI);
}

}  // namespace parley::threads
