// Checks after every restart and at the end.
#include "features/all.h"
#include "tests/sim/world_support.h"
#include "threads/cards/change_card.h"
#include "threads/lifecycle/changes.h"

namespace parley::sim {
namespace {

const protocol::TenantId kTenant{protocol::KeyText::UpToNul(accounts::kDemoTenant)};

}  // namespace

// If users pressed at the same time, one won, and every acknowledged intent is on record.
void World::CheckCards(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  std::map<std::string, std::string> winner;
  report_.acts = 0;
  std::vector<const std::deque<Act>*> everybody = {&support_.acts()};
  for (const auto& client : clients_) everybody.push_back(&client->acts());
  for (const std::deque<Act>* acts : everybody) {
    for (const Act& act : *acts) {
      if (!act.acknowledged) continue;
      ++report_.acts;
      const auto card =
          rows.Card(*protocol::ThreadId::FromText(act.thread), *protocol::MessageId::FromText(act.message));
      if (!card.ok() || !*card || (*card)->item.version < act.to_version) {
        Complain(std::string(when) + ": an acknowledged intent is lost: " + act.client_id);
        continue;
      }
      if (act.to_version == act.version) continue;  // it waited for an outside effect
      const auto [at, first] =
          winner.emplace(act.message + " v" + std::to_string(act.version), act.client_id);
      if (!first)
        Complain(std::string(when) + ": two won the same version: " + at->second + ", " + act.client_id);
    }
  }
  CheckOpenings(when);
  report_.effects = back_end_.carried_out();
  report_.decisions = 0;
  for (const Act& act : support_.acts()) report_.decisions += act.acknowledged;
}

// Every acknowledged card exists, once per clientId and under the message that was returned.
void World::CheckOpenings(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  report_.openings = 0;
  for (const auto& client : clients_) {
    for (const Opening& opening : client->openings()) {
      if (!opening.acknowledged) continue;
      ++report_.openings;
      const auto thread = *protocol::ThreadId::FromText(opening.thread);
      const auto message = *protocol::MessageId::FromText(opening.message_id);
      const auto card = rows.Card(thread, message);
      const auto shown = rows.Message(thread, message);
      const bool there = card.ok() && *card && (*card)->item.type.value == opening.type;
      const bool stored = shown.ok() && *shown && (*shown)->item.client_id &&
                          (*shown)->item.client_id->value == opening.client_id;
      if (!there || !stored)
        Complain(std::string(when) + ": an acknowledged card is lost: " + opening.client_id);
    }
  }
}

// Every acknowledged message of a broadcast is in its thread, under the broadcast's name.
void World::CheckBroadcasts(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  report_.broadcasts = 0;
  for (const auto& client : clients_) {
    for (const Broadcast& broadcast : client->broadcasts()) {
      for (const auto& [thread, id] : broadcast.sent) {
        ++report_.broadcasts;
        const auto message =
            rows.Message(*protocol::ThreadId::FromText(thread), *protocol::MessageId::FromText(id));
        // If a broadcast has one message, it is not marked, because no other thread received it.
        const bool there = message.ok() && *message &&
                           (*message)->item.client_id->value == broadcast.client_id &&
                           ((*message)->item.broadcast.value || broadcast.sent.size() == 1) &&
                           (!(*message)->item.broadcast.value ||
                            (*message)->item.broadcast.value->lbg_id.value == broadcast.lbg);
        if (!there)
          Complain(std::string(when) + ": an acknowledged broadcast is lost: " + broadcast.client_id);
      }
    }
  }
}

// Delivered files stay delivered, once.
void World::CheckFinals(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  report_.finals = 0;
  for (const auto& [thread, manifests] : back_end_.delivered()) {
    const auto tab = rows.Tab(*protocol::ThreadId::FromText(thread), protocol::TabName::kFiles);
    protocol::Document content;
    std::map<std::string, int> found;
    if (tab.ok() && *tab && threads::DecodeStored((*tab)->item.content.msgpack, &content)) {
      for (const protocol::Value& final : *content.root.Find("finals")->as_array())
        ++found[std::string(*final.Find("manifestRef")->as_text())];
    }
    for (const std::string& manifest : manifests) {
      ++report_.finals;
      if (found[manifest] != 1)
        Complain(std::string(when) + ": a final is there " + std::to_string(found[manifest]) +
                 " times: " + manifest);
    }
  }
}

// A creation's first message exists once, in whichever thread it led to; if not acknowledged, at most once.
// It may have been changed since, but only if its history is kept.
void World::CheckFirstMessages(const char* when) {
  std::map<protocol::MessageId, std::pair<std::string, std::string>> first;  // body and thread
  const auto look = [&](const storage::PartitionKey& partition, const storage::SortKey& sort,
                        storage::RowView row) {
    protocol::MessageId id;
    threads::MessageRow message;
    threads::HistoryRow before;
    if (threads::ParseMessageKey(sort.bytes(), &id) && threads::DecodeItem(row.payload, &message)) {
      first[id] = {message.item.body, threads::ThreadOfPartition(partition)->ToText()};
    } else if (threads::ParseHistoryKey(sort.bytes(), &id) && threads::DecodeStored(row.payload, &before) &&
               first.contains(id) && !before.before.edited_at) {
      first[id].first = before.before.body;
    }
    return true;
  };
  const auto status = process_->table().ScanAll(storage::TableTag::kThreads, look);
  if (!status.ok()) Complain("the messages do not read: " + status.detail);
  std::map<std::string, std::vector<std::string>> found;  // by body
  for (const auto& [id, said] : first) found[said.first].push_back(said.second);
  report_.firsts = 0;
  for (const auto& client : clients_) {
    for (const auto& [body, thread] : client->FirstMessages()) {
      const auto& at = found[body];
      report_.firsts += !thread.empty();
      if (at.size() > 1)
        Complain(std::string(when) + ": said " + std::to_string(at.size()) + " times: " + body);
      if (!thread.empty() && at != std::vector{thread})
        Complain(std::string(when) + ": an acknowledged first message is lost: " + body);
    }
  }
}

// Every read by staff is in the access log.
void World::CheckAccessLog(const char* when) {
  report_.looks = 0;
  for (const auto& [thread, shown] : support_.looks()) {
    report_.looks += shown;
    size_t recorded = 0;
    const auto status =
        process_->table().Scan(threads::ThreadPartition(kTenant, *protocol::ThreadId::FromText(thread)),
                               threads::RangeOf(storage::ThreadTag::kAccess), storage::Direction::kForward,
                               SIZE_MAX, [&](std::string_view, storage::RowView) { return ++recorded > 0; });
    if (!status.ok() || recorded < shown)
      Complain(std::string(when) + ": a look of the staff is not on record in " + thread);
  }
}

// Without any request the clock alone ends every card.
void World::CheckDeadlines() {
  const threads::RowReader rows(process_->table(), kTenant);
  for (const auto& client : clients_) {
    for (const auto& [name, held] : client->held()) {
      const auto head = rows.Thread(*protocol::ThreadId::FromText(name));
      const auto due = head.ok() && *head ? threads::NextDue(**head) : std::nullopt;
      if (due && *due <= clock_.Now()) Complain("a card outlived its end in " + name);
    }
  }
}

void World::CheckStore(const char* when) {
  fanout::VerifyReport report;
  const auto status = features::VerifyStore(
      process_->table(), clock_.Now(),
      [&](const std::string& what) { Complain(std::string(when) + ": " + what); }, &report);
  if (!status.ok()) Complain(std::string(when) + ": the store cannot be read");
  if (report.pending > 0) Complain(std::string(when) + ": a projection lags at rest");
  report_.threads = report.threads;
  report_.messages = report.messages;
}

// Every acknowledged send exists once, as acknowledged. (The store itself checks that no send exists twice.)
void World::CheckAcknowledged(const char* when) {
  const threads::RowReader rows(process_->table(), kTenant);
  size_t acknowledged = 0;
  for (const auto& client : clients_) {
    for (const Send& send : client->sends()) {
      if (!send.acknowledged) continue;
      ++acknowledged;
      const auto message = rows.Message(*protocol::ThreadId::FromText(send.thread),
                                        *protocol::MessageId::FromText(send.message_id));
      const bool there = message.ok() && *message && (*message)->item.msg_no == send.msg_no &&
                         (*message)->born_seq == send.seq &&
                         (*message)->item.client_id->value == send.client_id;
      if (!there) Complain(std::string(when) + ": an acknowledged send is lost: " + send.client_id);
    }
  }
  report_.acknowledged = acknowledged;
  size_t answers = 0;
  const auto status = process_->table().ScanAll(
      storage::TableTag::kThreads, [&](const auto&, const storage::SortKey& sort, storage::RowView) {
        answers += sort.bytes().front() == static_cast<char>(storage::ThreadTag::kIdempotency);
        return true;
      });
  if (!status.ok()) Complain(std::string(when) + ": the store cannot be read");
  report_.forgotten = acknowledged > answers ? acknowledged - answers : 0;
}

// Every device received every change since it began to listen, in its latest state.
void World::CheckDevices() {
  const storage::Snapshot snapshot = process_->table().NewSnapshot();
  const threads::RowReader rows(*snapshot, kTenant);
  for (const auto& client : clients_) {
    const threads::Caller viewer{kTenant, protocol::UserId{client->user().c_str()}};
    for (const auto& [name, held] : client->held()) {
      const auto thread = *protocol::ThreadId::FromText(name);
      const auto head = rows.Thread(thread);
      if (!head.ok() || !*head) {
        Complain(client->user() + " holds a thread that is not there: " + name);
        continue;
      }
      if ((*head)->item.last_seq != held.seq) {
        Complain(client->user() + " received events up to " + std::to_string(held.seq) + " of " +
                 std::to_string((*head)->item.last_seq) + " in " + name);
      }
      const auto page = threads::ReadChanges(rows, viewer, thread, held.since, SIZE_MAX);
      for (const threads::Change& change : page->changes) {
        bool found = false;
        for (const auto& [item, seq] : held.items) found |= seq == change.seq;
        if (!found)
          Complain(client->user() + " never received seq " + std::to_string(change.seq) + " in " + name);
      }
    }
  }
}

// An acknowledged read cursor is at its position or beyond.
void World::CheckReads() {
  const threads::RowReader rows(process_->table(), kTenant);
  for (const auto& client : clients_) {
    for (const auto& [name, message] : client->read()) {
      if (evidence_.witness.EverRemoved(name, client->user())) continue;  // their cursor started again
      if (message.empty()) continue;  // neither the marked message nor any before it is visible to all
      const auto me =
          rows.Participant(*protocol::ThreadId::FromText(name), protocol::UserId{client->user().c_str()});
      const auto at = me.ok() && *me ? (*me)->item.last_read_msg_id : std::nullopt;
      // The answer without a position was skipped above; any other is a lower bound.
      if (!message.empty() && (!at || at->ToText() < message))
        Complain(client->user() + ": an acknowledged read cursor went back in " + name + ": " +
                 (at ? at->ToText() : "none") + " below " + message);
    }
  }
}

// The rows, and every text that was ever shown, match the written texts.
void World::CheckBodies() {
  for (const auto& [name, thread] : evidence_.witness.threads())
    for (const fanout::RawItem* message : thread.facts.messages)
      evidence_.bodies.Delivered(message->wire.root);
  report_.bodies = evidence_.bodies.Judge(&evidence_.complaints);
  for (const auto& client : clients_) {
    client->CheckEntries();
    evidence_.silences += client->Silences();
    report_.posts += client->posts();
    for (const auto& [name, held] : client->held())
      for (const auto& [message, body] : held.bodies) CheckHeldBody(*client, name, message, body);
  }
}

// At rest a device has the same text as the rows.
void World::CheckHeldBody(const Client& client, const std::string& thread, const std::string& message,
                          const std::string& body) {
  const auto row =
      threads::RowReader(process_->table(), kTenant)
          .Message(*protocol::ThreadId::FromText(thread), *protocol::MessageId::FromText(message));
  if (!row.ok() || !*row || (*row)->item.body != body)
    Complain(client.user() + " holds another body of " + message + ": " + body);
}

}  // namespace parley::sim
