// Rows of the text policy.
//
//   LADDER#{threadId}          in a user's partition: their strikes in that thread. Only the executor of the
//                              thread writes it. Under the id of zeros: strikes in threads that were not
//                              created.
//   ORIG#{messageId}#{seq}     in a thread's partition: the body from the change `seq` as it was before its
//                              redaction, sealed for its row
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
// The place that an original is sealed for.
std::string OriginalPlace(const TenantId& tenant, const ThreadId& thread, const storage::SortKey& sort);

struct StrikesRow {
  int64_t milli = 0;  // the score at `at`, in thousandths of a point
  Time at;
  int64_t finds = 0;                   // number of texts with findings
  protocol::Omit<Time> soft_at;        // the first soft text of the window
  protocol::Omit<Time> rested_at;      // start of the last rest
  protocol::Omit<Time> rests_until;    // no text is accepted before
  protocol::Omit<Time> stopped_until;  // likewise, for longer
  // Digest of the last rejected request, whose repeat adds no strikes.
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
// Strikes of a user by thread, at most the first kStrikesMost.
inline constexpr size_t kStrikesMost = 1000;
Result<std::vector<std::pair<ThreadId, StrikesRow>>> ReadStrikesOfUser(const RowReader& rows,
                                                                       const UserId& user);

}  // namespace parley::threads
