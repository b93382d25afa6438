// Attaches uploads to a message: finds them, checks that the sender may send them, and marks them as sent.
//
// Thread contract: the executor's thread.
#pragma once

#include <vector>

#include "threads/model/caller.h"
#include "threads/model/decision.h"
#include "threads/model/file_row.h"

namespace parley::threads {

using AttachmentRefs = protocol::List<protocol::AttachmentRef, 10>;

// BAD_REQUEST unless each reference names one upload, one manifest or one preview.
protocol::Status CheckRefs(const AttachmentRefs& refs);
// BAD_REQUEST for a preview, which only services import, and for a manifest without https.
protocol::Status RequireMaySet(const Caller& caller, const AttachmentRefs& refs);

// The uploads that the references name, in their order. NOT_FOUND, which does not say why, unless each is an
// upload of the caller, in this thread, and not sent yet.
Result<std::vector<FileRow>> FindUploads(const RowReader& rows, const ThreadId& thread, const Caller& caller,
                                         const AttachmentRefs& refs);

// ACTION_INVALID_STATE if an upload is incomplete; UPLOAD_QUARANTINED if it failed or is in quarantine.
protocol::Status RequireSendable(const std::vector<FileRow>& uploads);

// The attachments as the message shows them.
protocol::List<protocol::Attachment, 20> AttachmentsFor(const AttachmentRefs& refs,
                                                        const std::vector<FileRow>& uploads);

void MarkSent(const TenantId& tenant, const ThreadId& thread, const std::vector<FileRow>& uploads,
              const MessageId& message, Draft* draft);

}  // namespace parley::threads
