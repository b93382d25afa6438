#include "threads/change.h"

#include <algorithm>

#include "threads/rows.h"

namespace parley::threads {

std::string EncodeChangeEntry(const ChangeEntry& entry) {
  return protocol::Encode(entry);
}

bool DecodeChangeEntry(std::string_view bytes, ChangeEntry* out) {
  return DecodeStored(bytes, out);
}

bool Members::Contains(const UserId& user) const {
  return std::binary_search(ids.begin(), ids.end(), user);
}

}  // namespace parley::threads
