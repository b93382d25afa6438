#include "threads/model/change.h"

#include "threads/model/rows.h"

namespace parley::threads {

std::string EncodeChangeEntry(const ChangeEntry& entry) {
  return protocol::Encode(entry);
}

bool DecodeChangeEntry(std::string_view bytes, ChangeEntry* out) {
  return DecodeStored(bytes, out);
}

}  // namespace parley::threads
