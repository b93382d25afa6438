// The uploads that pins of the moodboard and proofs of the files tab name, and the fields that only services
// set.
#pragma once

#include <vector>

#include "protocol/ops/panel.h"
#include "threads/files/show_file.h"

namespace parley::threads {

inline constexpr size_t kMaxTabFiles = 50;

// BAD_REQUEST if there are too many.
Result<std::vector<NamedFile>> LoadTabFiles(const RowReader& rows, const protocol::TabPut::Args& args);

// A tab that is about to be written.
struct TabChange {
  protocol::TabName tab;
  const protocol::Value& before;  // its stored content
  const protocol::Json& content;
};
// The content with copies of the uploads. A new upload is a complete one of the caller in this thread, else
// BAD_REQUEST, or UPLOAD_QUARANTINED if it cannot be shown. BAD_REQUEST for a field that the caller may not
// set.
Result<protocol::Json> WithTabFiles(const TabChange& change, const std::vector<NamedFile>& files,
                                    const Caller& caller);

// Notes in the uploads' rows that the tab shows them, and lets those go that it shows no more.
void MarkShownByTab(const TenantId& tenant, const protocol::TabPut::Args& args, const TabRow* before,
                    const std::vector<NamedFile>& files, Draft* draft);

}  // namespace parley::threads
