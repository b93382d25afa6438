// What single tabs have of their own, as pure functions of their content before and after.
#pragma once

#include <string>
#include <vector>

#include "threads/model/row_reader.h"

namespace parley::threads {

// A tab that nobody wrote yet: version 0, an empty map.
protocol::Tab EmptyTab(protocol::TabName tab, const ThreadRow& head);

// The tab of open cards, as of everything in the thread: {cards: [{messageId, type, state, version,
// createdBy, createdAt, updatedAt, expiresAt}]}. Its version is the thread's last seq.
protocol::Tab ActionsTab(const ThreadRow& head, const std::vector<protocol::Card>& open);

// The content of a stored tab; an empty map when there is none.
Result<protocol::Document> ReadContent(const std::optional<TabRow>& tab);

// Refuses what the tab's schema does not allow, and what is too large or not to be read.
protocol::Status CheckTabContent(protocol::TabName tab, const protocol::Json& content, std::string_view name,
                                 protocol::Document* out);

// FORBIDDEN when a final manifest that was there is missing or altered (what was delivered stays delivered;
// the order of members says nothing), or when there is a new one and the caller does not deliver.
protocol::Status CheckFinals(protocol::TabName tab, const protocol::Value& before,
                             const protocol::Value& after, bool may_deliver);

// What is stored: the content as given; of expenses, with the totals worked out here (given ones must agree);
// of the moodboard, with what was withheld from the writer; of comments, with who made them, and when.
struct TabWriter {
  std::optional<UserId> user;  // none: a service that acts for nobody
  int64_t band_max = 0;        // sees pins up to here
  protocol::Time now;
};
Result<protocol::Json> FinishContent(protocol::TabName tab, const protocol::Json& given,
                                     const protocol::Value& content, const protocol::Value& before,
                                     const TabWriter& writer);

// How much of a shot list is done.
protocol::ShotProgress CountShots(const protocol::Value& content);

// System messages that tell of outcomes: a document signed, a payment received, finals delivered. What they
// quote is plain text on one line, cut short: nobody speaks with the server's voice through a file's name.
std::vector<std::string> OutcomesOf(protocol::TabName tab, const protocol::Value& before,
                                    const protocol::Value& after);

}  // namespace parley::threads
