// Rows that the text policy keeps.
//
//   LADDER#{threadId}          in a user's partition: where they stand with the policy in that thread. Only
//                              the executor of the thread writes it. Under the id of zeros: of threads that
//                              they wanted to begin.
//   ORIG#{messageId}#{seq}     in a thread's partition: the body that the change `seq` brought, before it was
//                              redacted, sealed for its row
//
// Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "threads/model/row_reader.h"

namespace parley::threads {

storage::SortKey StrikesKey(const ThreadId& thread);
storage::SortRange StrikesOfThreads();  // all of a user
bool ParseStrikesKey(std::string_view sort, ThreadId* thread);
storage::SortKey OriginalKey(const MessageId& message, int64_t seq);
storage::SortRange OriginalsOf(const MessageId& message);  // oldest first
bool ParseOriginalKey(std::string_view sort, MessageId* message, int64_t* seq);
// Where an original is sealed for.
std::string OriginalPlace(const TenantId& tenant, const ThreadId& thread, const storage::SortKey& sort);

struct StrikesRow {
  int64_t milli = 0;  // the score at `at`, in thousandths of a point
  Time at;
  int64_t finds = 0;                   // texts in which something was found
  protocol::Omit<Time> soft_at;        // the first soft text of the window
  protocol::Omit<Time> rested_at;      // when they were last made to rest
  protocol::Omit<Time> rests_until;    // nothing is taken before
  protocol::Omit<Time> stopped_until;  // likewise, for long
  // A digest of the request whose text was refused last: its repeat adds nothing.
  protocol::Omit<protocol::Text<64>> refused;
  static constexpr void Fields(auto& field) {
    using T = StrikesRow;
    field("milli", &T::milli, "");
    field("at", &T::at, "");
    field("finds", &T::finds, "");
    field("softAt", &T::soft_at, "");
    field("restedAt", &T::rested_at, "");
    field("restsUntil", &T::rests_until, "");
    field("stoppedUntil", &T::stopped_until, "");
    field("refused", &T::refused, "");
  }
};
std::string EncodeStrikes(const StrikesRow& row);
bool DecodeStrikes(std::string_view payload, StrikesRow* out);

Result<std::optional<StrikesRow>> ReadStrikes(const RowReader& rows, const UserId& user,
                                              const ThreadId& thread);
// All of a user's, by thread; the first kLaddersMost.
inline constexpr size_t kStrikesMost = 1000;
Result<std::vector<std::pair<ThreadId, StrikesRow>>> ReadStrikesOfUser(const RowReader& rows,
                                                                       const UserId& user);

}  // namespace parley::threads
