// Finds the offset from which an upload goes on. If all bytes are here, but the server or the request ended
// before they were stored, this finishes the upload: clients send no further request.
//
// Thread contract: the host's thread.
#pragma once

#include <functional>
#include <optional>

#include "features/files/links.h"
#include "features/host/host.h"
#include "protocol/base/result.h"
#include "protocol/base/time.h"
#include "threads/model/file_row.h"

namespace parley::features {

struct UploadOffset {
  threads::FileRow row;
  int64_t offset = 0;                             // these bytes are on disk
  std::optional<protocol::Time> touched_at = {};  // when the last byte came, if the upload is incomplete
};

// Besides the errors of ReadUpload and FinishUpload: 423 while another request finishes the upload.
void FindUploadOffset(Host& host, const UploadLink& link,
                      std::function<void(protocol::Result<UploadOffset>)> then);

}  // namespace parley::features
