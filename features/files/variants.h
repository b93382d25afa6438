// Makes the smaller copies of a stored file and stores them beside it.
//
// Thread contract: blocking; a thread for long work.
#pragma once

#include <optional>

#include "features/files/files.h"
#include "threads/model/file_row.h"

namespace parley::features {

using Variants = protocol::List<protocol::FileVariant, 3>;

// nullopt: the file has no variants, because it is no image and no video, or because none could be made; the
// log has the reason. After an error a later call may succeed.
protocol::Result<std::optional<Variants>> MakeVariants(Files& files, const protocol::TenantId& tenant,
                                                       const threads::FileRow& row);

}  // namespace parley::features
