// Receives one request's bytes of an upload: in pieces of bounded memory, written and synced by the disk
// threads, acknowledged by an offset once they are on disk.
//
// Thread contract: the host's thread.
#pragma once

#include <memory>
#include <optional>

#include "features/files/files.h"
#include "features/files/tus.h"
#include "features/host/route.h"

namespace parley::features {

struct IncomingBytes {
  // From where on the bytes are; nullopt: the whole file, from its beginning (PUT).
  std::optional<int64_t> offset;
  std::optional<TusChecksum> checksum;  // covers this request's bytes
};

// Answers 204 with Upload-Offset; or the errors of ReadUpload; 409 if the offset is another or another
// request writes; 460 if the checksum differs; 413 beyond the declared size; UNSUPPORTED_TYPE if the file is
// complete and not of its type. After an error the bytes that arrived stay, unless a checksum covered them.
std::unique_ptr<protocol::BodyReceiver> ReceiveUpload(const Call& call, const UploadLink& link,
                                                      IncomingBytes bytes, HttpRoute::Respond respond);

}  // namespace parley::features
