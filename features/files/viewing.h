// Safe-Mode: what a viewer gets of a file. Bytes are served by this decision alone.
//
// Pure; any thread.
#pragma once

#include <cstdint>

#include "protocol/attachment.h"

namespace parley::features {

struct FileViewer {
  int64_t band_max = 1;   // the highest band that they see clearly: 0 to 2
  bool sees_all = false;  // the uploader
  bool by_case = false;   // staff bound to a case, who see every band, and files in quarantine
  bool scans = false;     // a service, which judges bands, and examines a file before it is ready
};

enum class View : uint8_t {
  kClear,        // the variant that was asked for
  kBlurred,      // the blurred variant in its place
  kBlocked,      // MSG_NSFW_BLOCKED
  kQuarantined,  // UPLOAD_QUARANTINED
  kIncomplete,   // ACTION_INVALID_STATE
  kGone,         // NOT_FOUND
};

View ViewOf(const protocol::Attachment& file, protocol::VariantName asked, const FileViewer& viewer);

}  // namespace parley::features
