// The error of a row or record in the store that cannot be decoded.
#pragma once

#include "protocol/base/error.h"

namespace parley::protocol {

inline Error UnreadableStored() {
  return {ErrorCode::kInternal, "stored data cannot be read"};
}

}  // namespace parley::protocol
