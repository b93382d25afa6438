// Reads that must not wait for a disk on an I/O loop: answered from memory at once if everything they need is
// there and is little, and otherwise repeated on a thread of the reader pool while the loop goes on. The read
// itself does not know which.
//
// Thread contract: the host's thread; only `read` also runs on a thread of the pool, so it owns what it needs
// and touches nothing of the loop's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "features/host/host.h"

namespace parley::features {

protocol::Error NoRoom();        // MakeRoom returned false
protocol::Error TooManyReads();  // too many wait for a thread of the pool
protocol::Error IndexBehind();   // Await ended with false

// Calls `then` with the result of `read` (T or an error) on a snapshot that is no older than this call, now
// or later by `road`; with UNAVAILABLE if too many reads wait. `then` is not called if the caller has gone.
template <class T, class Function, class Then>
void ReadAnywhere(Host& host, const ReadRoad& road, Function read, Then then) {
  auto made = std::make_shared<std::optional<protocol::Result<T>>>();
  host.Read(
      road, std::is_same_v<T, std::string>,
      [made, read = std::move(read)](const storage::Reader& reader) { made->emplace(read(reader)); },
      [made, then = std::move(then)]() mutable {
        then(made->has_value() ? std::move(**made) : protocol::Result<T>(TooManyReads()));
      });
}

}  // namespace parley::features
