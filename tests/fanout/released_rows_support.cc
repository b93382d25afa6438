#include "tests/fanout/released_rows.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/repository.h"
#include "threads/clock/clock_tasks.h"
#include "threads/messages/broadcast.h"
#include "threads/staff/access_log.h"

namespace parley::fanout {
namespace {

constexpr const char* kFolder = "tests/fanout/released/";
const std::vector<std::string> kProjections = {"inbox", "project", "cards"};

std::string ToHex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<uint8_t>(c) >> 4];
    out += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return out.empty() ? "-" : out;
}
std::string FromHex(const std::string& text) {
  std::string out;
  if (text == "-") return out;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    out += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return out;
}

void Play(FanoutScene& scene, std::string_view lines) {
  for (const std::string& line : threads::SplitText(lines, ';')) {
    scene.core.clock.Advance(7);
    EXPECT_EQ(scene.Run(line), "ok") << line;
  }
}

void Submit(FanoutScene& scene, const ThreadId& thread,
            std::function<threads::Result<threads::Decision>(threads::Transaction&)> decide) {
  threads::Job job;
  job.tenant = TenantId{"demo"};
  job.thread = thread;
  job.decide = std::move(decide);
  job.done = [](const threads::Answer& answer) {
    EXPECT_TRUE(answer.ok()) << (answer.ok() ? "" : answer.error().message);
  };
  scene.core.executor->Submit(std::move(job));
  scene.Settle();
}

void Broadcast(FanoutScene& scene, const std::vector<std::string>& names) {
  const threads::Caller buyer = threads::CallerFrom("buyer");
  threads::ThreadBroadcastArgs args;
  args.lbg_id = protocol::LbgId{"lbg_1"};
  args.client_id = protocol::ClientId{"b-1"};
  args.body.value = "to all of you";
  std::vector<ThreadId> legs;
  for (const std::string& name : names) legs.push_back(scene.core.ThreadNamed(name));
  Submit(scene, legs.front(),
         [=](threads::Transaction& tx) { return threads::ReserveBroadcast(tx, buyer, args, legs); });
  for (const ThreadId& thread : legs) {
    scene.core.clock.Advance(7);
    Submit(scene, thread, [=](threads::Transaction& tx) {
      return threads::SendBroadcast(tx, buyer, args, thread, legs.size());
    });
  }
}

}  // namespace

std::vector<std::string> ReleasedVersions() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(tests::RepositoryPath(kFolder)))
    out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

ReleasedStore ReadReleased(const std::string& version) {
  ReleasedStore out;
  std::ifstream in(tests::RepositoryPath(kFolder + version + "/rows.txt"));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string what, a, b, c, d;
    words >> what >> a >> b >> c >> d;
    if (what == "name") out.names.emplace_back(a, b);
    if (what == "log") out.log.push_back(FromHex(a));
    if (what == "cursor") out.cursors.emplace_back(a, std::stoull(b));
    if (what != "row") continue;
    const auto partition = storage::PartitionKey::FromBytes(FromHex(a));
    EXPECT_TRUE(partition) << line;
    if (partition)
      out.rows.push_back({*partition, storage::SortKey(FromHex(b)), {std::stoull(c), FromHex(d)}});
  }
  return out;
}

void PlayEveryKind(FanoutScene& scene) {
  Play(scene,
       // T: an inquiry that became a project, with panel, pins, history and members who joined and left
       "buyer thread.create role=photo subject='a wedding' city=Lyon clientId=c-1 safeModeRequired=true "
       "brief={\"text\":\"bring light\"} firstMessage='are you free?' participants=[{\"userId\":\"carol\"}];"
       "seller message.send body='what **was** said' clientId=s-1;"
       "service(buyer) message.send body=typo clientId=s-2 replyTo=M2 nsfwBand=1;"
       "service(buyer) message.send type=asset body=look clientId=s-3 "
       "attachments=[{\"kind\":\"preview\",\"s3Key\":\"k\",\"mime\":\"image/png\",\"w\":3,\"h\":4},"
       "{\"kind\":\"manifest\",\"manifestRef\":\"m-1\"}];"
       "buyer message.edit messageId=M3 body=better; seller message.send body=oops clientId=s-4;"
       "seller message.delete messageId=M5; carol message.react messageId=M2 emoji=👍 on=true;"
       "buyer message.pin messageId=M2 pinned=true;"
       "service thread.promote lbgId=lbg_1 legId=leg_1 eventId=evt-1;"
       "buyer tab.put tab=moodboard version=0 content={\"pins\":[]};"
       "buyer tab.put tab=shotlist version=0 "
       "content={\"shots\":[{\"id\":\"s\",\"name\":\"n\",\"status\":\"done\"}]};"
       "buyer participant.add userId=dan roleContext=seller permission=files; buyer participant.add "
       "userId=eve;"
       "buyer participant.update userId=dan permission=read; buyer participant.remove userId=eve;"
       "seller read.mark messageId=M1; carol participant.mute muted=true until=2026-01-01T00:00:00.000Z;"
       "seller inbox.set pinned=true label=Later; carol inbox.set snoozedUntil=2025-12-01T00:00:00.000Z;"
       "dan inbox.set spam=true; buyer thread.update version=2 subject='the wedding';"
       "service thread.schedule meetingAt=2025-12-24T10:00:00.000Z firstMeeting=true;"
       "ann(support) thread.setStatus status=locked reason=checked;"
       "ann(support) thread.setStatus status=open reason='all is well';"
       // T2: cards in every kind of state
       "buyer thread.create kind=project lbgId=lbg_1 legId=leg_2;"
       "buyer card.create threadId=T2 type=RESCHEDULE expiresAt=2025-11-05T20:00:00.000Z clientId=k-1;"
       "seller card.act threadId=T2 messageId=T2.M1 intent=accept clientId=k-2;"
       "seller card.create threadId=T2 type=REQUEST_EXTRA clientId=k-3;"
       "buyer card.act threadId=T2 messageId=T2.M2 intent=decline clientId=k-4 reason=dear;"
       "buyer card.create threadId=T2 type=DISPUTE_OPEN clientId=k-5;"
       "buyer card.create threadId=T2 type=OVERTIME_START expiresAt=2025-11-06T16:00:00.000Z clientId=k-6;"
       "seller card.create threadId=T2 type=DELIVERABLE_FINAL clientId=k-7;"
       "buyer inbox.set threadId=T2 archived=true;"
       // T3: an unanswered invite
       "buyer thread.create role=none subtype=invite sellerUserId=fred firstMessage=hello clientId=c-2;"
       // T4: a thread with messages, archived
       "buyer thread.create kind=project sellerUserId=gina; buyer message.send threadId=T4 body=bye "
       "clientId=s-5;"
       "gina inbox.set threadId=T4 archived=true label='Done with'");
  Broadcast(scene, {"T", "T2"});
  scene.core.clock.Advance(7);
  Submit(scene, scene.core.ThreadNamed("T"), [&scene](threads::Transaction& tx) {
    return threads::RecordAccess(tx, threads::CallerFrom("ann(support)"), scene.core.ThreadNamed("T"),
                                 "thread.get");
  });
}

std::string WriteReleased(FanoutScene& scene) {
  std::string out;
  for (const char* thread : {"T", "T2", "T3", "T4"}) {
    out += std::string("name ") + thread + " " + scene.names.IdOf(thread) + "\n";
    for (int i = 1; i < 20; ++i) {
      const std::string name =
          (thread == std::string("T") ? "" : std::string(thread) + ".") + "M" + std::to_string(i);
      if (scene.names.IdOf(name) != name) out += "name " + name + " " + scene.names.IdOf(name) + "\n";
    }
  }
  auto status = scene.core.table->ScanAll(
      std::nullopt,
      [&](const storage::PartitionKey& partition, const storage::SortKey& sort, storage::RowView row) {
        out += "row " + ToHex(partition.bytes()) + " " + ToHex(sort.bytes()) + " " +
               std::to_string(row.version) + " " + ToHex(row.payload) + "\n";
        return true;
      });
  EXPECT_TRUE(status.ok());
  status = scene.core.table->ReadLog(0, SIZE_MAX, [&](storage::Position, std::string_view entry) {
    out += "log " + ToHex(entry) + "\n";
    return true;
  });
  EXPECT_TRUE(status.ok());
  for (const std::string& projection : kProjections) {
    storage::Position cursor = 0;
    EXPECT_TRUE(scene.core.table->ReadCursor(projection, &cursor).ok());
    out += "cursor " + projection + " " + std::to_string(cursor) + "\n";
  }
  return out;
}

void LoadReleased(const ReleasedStore& store, FanoutScene& scene) {
  std::vector<storage::CommitRequest> commits;
  std::vector<storage::DerivedWrite> derived;
  for (const ReleasedRow& row : store.rows) {
    const auto table = row.partition.table();
    if (table == storage::TableTag::kThreads || table == storage::TableTag::kUsers) {
      commits.push_back({row.partition, {}, {{row.sort, row.row}}, {}});
    } else {
      derived.push_back({row.partition, row.sort, row.row});
    }
  }
  for (const std::string& entry : store.log) commits.push_back({store.rows.front().partition, {}, {}, entry});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(scene.core.table->Commit(commits, &results).ok());
  for (const auto& [projection, cursor] : store.cursors) {
    ASSERT_TRUE(scene.core.table->Apply(derived, projection, cursor).ok());
    derived.clear();
  }
  for (const auto& [name, id] : store.names) scene.names.Put(name, id);
  scene.core.clock.Advance(3'600'000);
  scene.Restart();
}

}  // namespace parley::fanout
