// The uploads that the payload of a new card names.
#pragma once

#include <string_view>
#include <vector>

#include "protocol/ops/cards.h"
#include "threads/files/show_file.h"

namespace parley::threads {

Result<std::vector<NamedFile>> LoadCardFiles(const RowReader& rows, const protocol::CardCreate::Args& args);

// The payload with copies of the uploads. CARD_INVALID unless each is a complete upload of the caller in this
// thread; UPLOAD_QUARANTINED if one of theirs cannot be shown.
Result<protocol::Json> WithCardFiles(std::string_view type, const protocol::Json& payload,
                                     const std::vector<NamedFile>& files, const Caller& caller);
void MarkShownByCard(const TenantId& tenant, const protocol::CardCreate::Args& args,
                     const std::vector<NamedFile>& files, const MessageId& card, Draft* draft);

}  // namespace parley::threads
