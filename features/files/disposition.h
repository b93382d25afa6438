// The Content-Disposition header of a file that is served (RFC 6266, RFC 8187). Pure.
#pragma once

#include <string>
#include <string_view>

namespace parley::features {

// Whether browsers may show a file of this media type in a page: images and video, no documents and no text.
bool IsShownInline(std::string_view mime);
// `attachment; filename="report.pdf"; filename*=UTF-8''r%C3%A9port.pdf`
std::string Disposition(std::string_view mime, std::string_view name);

}  // namespace parley::features
