// Decides who may fetch a file: its thread, its message, its state and the viewer's band.
//
// Thread contract: any thread; the reader is one snapshot.
#pragma once

#include "features/files/links.h"
#include "features/files/viewing.h"
#include "features/host/host.h"
#include "threads/model/file_row.h"

namespace parley::features {

// A file and the variant of it that may be sent.
struct FoundFile {
  protocol::ThreadId thread;
  threads::FileRow row;
  FileViewer viewer;
};

// The file, if the caller may know of it. NOT_FOUND for a file that does not exist, and for a thread, a
// message or an upload that the caller does not see, so that nothing tells which it is.
protocol::Result<FoundFile> FindFile(const threads::ReadContext& context, const protocol::AttachmentId& file);

// The same for the holder of a link, whose rights were judged when it was made: reads the rows again.
protocol::Result<FoundFile> FindLinked(const threads::RowReader& rows, const FileLink& link,
                                       protocol::Time now);

// The variant to send, as ViewOf says, or its error.
protocol::Result<protocol::VariantName> VariantFor(const FoundFile& file, protocol::VariantName asked);

struct SentBytes {
  std::string blob;
  std::string mime;
  int64_t size = 0;
};
// The stored bytes of a variant. NOT_FOUND if the file has none.
protocol::Result<SentBytes> BytesOf(const threads::FileRow& row, protocol::VariantName variant);

}  // namespace parley::features
