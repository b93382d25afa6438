// A read that must not wait: it is answered from memory at once, where all it needs lies there and is little,
// and else made again on a thread of the pool (read_pool.h) while the loop goes on. The read itself does not
// know which.
//
// Thread contract: the I/O thread's thread; only `read` also runs on a thread of the pool, so it owns what it
// needs and touches nothing of the loop's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "gateway/app/options.h"
#include "storage/guarded_reader.h"
#include "threads/model/read_context.h"

namespace parley::gateway {

// What a read function is given; both outlive it. Any thread.
inline threads::ReadContext ContextOf(const Node& node, const storage::Reader& reader,
                                      const threads::Caller& caller) {
  return {reader,
          caller,
          node.cursors(),
          node.clock().Now(),
          static_cast<size_t>(node.config().max_page_bytes),
          &node.people(),
          &node.sealer()};
}

// Of rows, for one read on the loop: several usual pages. What would look at more is made by a reader's
// thread, since all other sessions of the loop would wait for it.
inline constexpr size_t kBytesOnLoop = size_t{128} << 10;

// Calls `then` with what `read` makes of a snapshot that is no older than this call: now, or later by way of
// `road`. Where too many wait it is UNAVAILABLE; where whoever asked has gone meanwhile, `then` is not
// called.
template <class T, class Read, class Then>
void ReadAnywhere(IoThread& io, const ReadRoad& road, Read read, Then then) {
  Node& node = io.node();
  const auto reads = road.reads.lock();
  if (!reads) return;
  if (road.has_turn || !reads->MustWait()) {
    const auto view = io.View();
    std::optional<ReaderShare> building(std::in_place, node.readers(),
                                        static_cast<size_t>(AnswerBytes(node.config())));
    const storage::MemoryAttempt attempt(*view, kBytesOnLoop);
    protocol::Result<T> result = read(static_cast<const storage::Reader&>(attempt));
    if (!attempt.missed()) {
      node.read_pool().CountFromMemory();
      if constexpr (!std::is_same_v<T, std::string>)
        building.reset();  // no answer yet: what follows reads on
      return then(std::move(result));
    }
  }
  auto made = std::make_shared<std::optional<protocol::Result<T>>>();
  reads->ReadCold(
      [made, read = std::move(read)](const storage::Reader& reader) { made->emplace(read(reader)); },
      [made, then = std::move(then)] {
        then(made->has_value() ? std::move(**made) : protocol::Result<T>(TooManyReads()));
      },
      road);
}

}  // namespace parley::gateway
