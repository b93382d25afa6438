#include "threads/change.h"

#include <algorithm>

namespace parley::threads {

std::string EncodeChangeEntry(const ChangeEntry& entry) {
  return protocol::Encode(entry);
}

bool DecodeChangeEntry(std::string_view bytes, ChangeEntry* out) {
  protocol::Document document;
  if (protocol::DecodeMsgpack(std::string(bytes), {}, &document)) return false;
  return protocol::Bind(document.root, out).ok();
}

bool Members::Contains(const UserId& user) const {
  return std::binary_search(ids.begin(), ids.end(), user);
}

}  // namespace parley::threads
