// Drives a tenant's events in tests: requests and results are short texts.
#pragma once

#include <string>
#include <vector>

#include "accounts/records/item_fields.h"
#include "features/events/event_inbox.h"
#include "tests/accounts/record_scene.h"

namespace parley::features {

using Texts = std::vector<std::string>;

class EventScene : public accounts::RecordScene {
 public:
  // Its id, or the error's code.
  std::string Post(const std::string& json, const std::optional<std::string>& type = {}) {
    auto event = EventFromBody(json, type);
    if (!event.ok()) return accounts::CodeOf(event);
    const std::string id = event->event_id;
    const auto done = Put(*std::move(event));
    return done == "ok" ? id : done;
  }
  std::string Put(NewEvent event) {
    return accounts::CodeOf(
        Decide<Event>([&](accounts::RecordTransaction& tx) { return PutEvent(tx, event); }));
  }
  // An event {"n": …} a millisecond after the one before.
  std::string PostNumber(int n, const std::string& type = "t") {
    items.clock.Advance(1);
    return Post(R"({"n":)" + std::to_string(n) + "}", type);
  }
  std::string Ack(const std::string& id) {
    return accounts::CodeOf(Decide<Event>([&](accounts::RecordTransaction& tx) { return AckEvent(tx, id); }));
  }
  std::string Delete(const std::string& id) {
    return accounts::CodeOf(
        Decide<protocol::Unit>([&](accounts::RecordTransaction& tx) { return DeleteEvent(tx, id); }));
  }
  // Reads as a caller does: repeats the request if the reply requires it.
  protocol::Result<EventPage> Lease(int64_t seconds, size_t limit = kInboxDefault) {
    for (;;) {
      auto page = Decide<EventPage>([&](accounts::RecordTransaction& tx) {
        return LeaseInbox(tx, {limit, {}}, seconds);
      });
      if (!page.ok() || !page->again) return page;
      Return();
    }
  }
  protocol::Result<EventPage> Inbox(const InboxAsk& ask = {}) {
    for (;;) {
      auto page = ReadInbox(Reads(), ask);
      if (!page.ok() || !page->again) return page;
      Return();
    }
  }
  void Return() {
    ++returns;
    EXPECT_EQ(
        accounts::CodeOf(Decide<bool>([](accounts::RecordTransaction& tx) { return ReturnLeases(tx); })),
        "ok");
  }
  protocol::Result<EventPage> List(const EventAsk& ask) { return ListEvents(Reads(), ask); }

  // The numbers of the events of a page.
  static std::vector<int> Numbers(const protocol::Result<EventPage>& page) {
    std::vector<int> out;
    EXPECT_TRUE(page.ok());
    if (!page.ok()) return {-1};
    for (const Event& event : page->items)
      out.push_back(static_cast<int>(accounts::IntOf(event.payload, "n").value_or(-1)));
    return out;
  }
  static std::vector<int> From(int first, int last) {
    std::vector<int> out;
    for (int n = first; n <= last; ++n) out.push_back(n);
    return out;
  }

  int returns = 0;
};

}  // namespace parley::features
