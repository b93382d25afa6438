// Uploads that belong to no thread: avatars of users, and the tenant's brand. A user has one avatar at a
// time: an upload becomes it when it is ready, in the place of the one before.
//
// Thread contract: the executor's thread.
#pragma once

#include "threads/files/begin_upload.h"

namespace parley::threads {

inline constexpr int64_t kProfileBytesMax = int64_t{2} << 20;

// The answer is an AttachmentReply. `wish.thread` is left at zeros. FORBIDDEN for a brand unless the caller
// is a service or an admin of the tenant; refused by quotas as BeginUpload.
Result<Decision> BeginProfile(Transaction& tx, const Caller& caller, const UploadWish& wish,
                              FilePurpose purpose);

// Makes an upload that has become ready the current one, and lets the one before go. Does nothing to others.
protocol::Status BecomeCurrent(const RowReader& rows, FileRow* row, Draft* draft);

}  // namespace parley::threads
