// The rules of individual tabs, as pure functions of their content before and after a change.
#pragma once

#include <string>
#include <vector>

#include "threads/model/row_reader.h"
#include "threads/panel/tab_specs.h"

namespace parley::threads {

// A tab that was never written: version 0, an empty map.
protocol::Tab EmptyTab(protocol::TabName tab, const ThreadRow& head);

// The tab of open cards, as of the thread's newest change: {cards: [{messageId, type, state, version,
// createdBy, createdAt, updatedAt, expiresAt}]}. Its version is the thread's last seq.
protocol::Tab ActionsTab(const ThreadRow& head, const std::vector<protocol::Card>& open);

// The content of a stored tab; an empty map if it was never written.
Result<protocol::Document> ReadContent(const std::optional<TabRow>& tab);

// Rejects content that the tab's schema forbids or that cannot be decoded.
protocol::Status CheckTabContent(protocol::TabName tab, const protocol::Json& content, std::string_view name,
                                 protocol::Document* out);

// --- Rules of individual tabs: the functions of tab_specs.cc. REQUIRES: content matches its schema.

// FORBIDDEN if an existing final manifest is missing or altered (the order of its members does not matter),
// or if there is a new one and the caller may not deliver.
protocol::Status CheckFinals(const protocol::Value& before, const protocol::Value& after, bool may_deliver);

// Sets author and time of comments; for the moodboard, also restores the fields that were withheld from the
// writer.
Result<protocol::Json> FinishMoodboard(const protocol::Json& given, const protocol::Value& content,
                                       const protocol::Value& before, const TabWriter& writer);
Result<protocol::Json> FinishShotlist(const protocol::Json& given, const protocol::Value& content,
                                      const protocol::Value& before, const TabWriter& writer);
// Adds the totals; totals that the writer gives must match.
Result<protocol::Json> FinishExpenses(const protocol::Json& given, const protocol::Value& content,
                                      const protocol::Value& before, const TabWriter& writer);

// Counts the shots and those that are done.
protocol::ShotProgress CountShots(const protocol::Value& content);

std::vector<std::string> DocumentsSigned(const protocol::Value& before, const protocol::Value& after);
std::vector<std::string> PaymentsReceived(const protocol::Value& before, const protocol::Value& after);
std::vector<std::string> FinalsDelivered(const protocol::Value& before, const protocol::Value& after);

}  // namespace parley::threads
