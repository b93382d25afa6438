#include "features/files/blob_store.h"

#include <algorithm>

namespace parley::features {

bool AreBlobNames(const protocol::TenantId& tenant, std::string_view blob) {
  constexpr size_t kNameBytesMax = 128;
  // The characters of a tenant's id are safe, but it could be ".." or the name of another directory of ours.
  const std::string& owner = tenant.ToText();
  if (owner.empty() || owner.front() == '.' || !protocol::IsTenantChosenId(owner)) return false;
  return !blob.empty() && blob.size() <= kNameBytesMax && std::all_of(blob.begin(), blob.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

}  // namespace parley::features
