// The tenant to which a partition belongs.
#pragma once

#include "storage/key.h"

namespace parley::storage {

inline protocol::TenantId TenantOf(const PartitionKey& partition) {
  return protocol::TenantId{protocol::KeyText::UpToNul(partition.tenant())};
}

}  // namespace parley::storage
