// The rules of individual tabs, as pure functions of their content before and after.
#pragma once

#include <string>
#include <vector>

#include "threads/model/row_reader.h"
#include "threads/panel/tab_specs.h"

namespace parley::threads {

// A tab that nobody has written yet: version 0, an empty map.
protocol::Tab EmptyTab(protocol::TabName tab, const ThreadRow& head);

// The tab of open cards, as of the thread's newest change: {cards: [{messageId, type, state, version,
// createdBy, createdAt, updatedAt, expiresAt}]}. Its version is the thread's last seq.
protocol::Tab ActionsTab(const ThreadRow& head, const std::vector<protocol::Card>& open);

// The content of a stored tab; an empty map when there is none.
Result<protocol::Document> ReadContent(const std::optional<TabRow>& tab);

// Refuses what the tab's schema does not allow, what is too large, and what cannot be read.
protocol::Status CheckTabContent(protocol::TabName tab, const protocol::Json& content, std::string_view name,
                                 protocol::Document* out);

// --- Rules of individual tabs: the functions of tab_specs.cc. REQUIRES: content matches its schema.

// FORBIDDEN when an existing final manifest is missing or altered (what was delivered stays delivered; the
// order of members does not matter), or when there is a new one and the caller may not deliver.
protocol::Status CheckFinals(const protocol::Value& before, const protocol::Value& after, bool may_deliver);

// Comments as they are stored, with author and time; for the moodboard, with what was withheld from the
// writer.
Result<protocol::Json> FinishMoodboard(const protocol::Json& given, const protocol::Value& content,
                                       const protocol::Value& before, const TabWriter& writer);
Result<protocol::Json> FinishShotlist(const protocol::Json& given, const protocol::Value& content,
                                      const protocol::Value& before, const TabWriter& writer);
// With the totals computed here; totals that were given must agree.
Result<protocol::Json> FinishExpenses(const protocol::Json& given, const protocol::Value& content,
                                      const protocol::Value& before, const TabWriter& writer);

// How much of a shot list is done.
protocol::ShotProgress CountShots(const protocol::Value& content);

std::vector<std::string> DocumentsSigned(const protocol::Value& before, const protocol::Value& after);
std::vector<std::string> PaymentsReceived(const protocol::Value& before, const protocol::Value& after);
std::vector<std::string> FinalsDelivered(const protocol::Value& before, const protocol::Value& after);

}  // namespace parley::threads
