// Runs reads without blocking an I/O loop on the disk: a read is answered at once if all it needs is in
// memory and is little; otherwise it is repeated on a thread of the reader pool. The read itself does not
// know which.
//
// Thread contract: the host's thread; only `read` also runs on a thread of the pool, so it must own its
// inputs and touch nothing of the loop's.
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

// Waits for the indexes, makes room for an answer, and answers `done` with what `read` makes of a snapshot
// that includes every write acknowledged before this call. `read` as in ReadAnywhere.
using ReadAnswerFunction = std::function<threads::ReadAnswer(const storage::Reader&)>;
void ReadIndexed(Host& host, threads::Waits indexes, const ReadRoad& road, ReadAnswerFunction read,
                 std::function<void(threads::Answer)> done);

}  // namespace parley::features
