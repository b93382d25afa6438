// thread.broadcast: finds the leg threads of an LBG, reserves them, and sends to each.
#include "threads/messages/broadcast.h"
#include "fanout/index_reads.h"
#include "features/broadcast/feature.h"
#include "features/broadcast/ops.h"
#include "features/host/cold_reads.h"
#include "features/text_policy/asks.h"
#include "protocol/base/sure.h"
#include "threads/run/run_judged.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::ThreadId;
using threads::Caller;
using Op = ThreadBroadcast;

struct Broadcast {
  Caller caller;
  Op::Args args;
  Done done;
  std::optional<Error> refusal;  // unless it is a repeat
  std::vector<ThreadId> threads;
  std::vector<std::optional<Answer>> answers;
  threads::ExaminedPtr examined;              // null: the body is not judged
  std::vector<std::optional<Error>> refused;  // by the text policy
  size_t waiting = 0;
};
using BroadcastPtr = std::shared_ptr<Broadcast>;

// The caller's threads of the legs.
threads::Result<std::vector<ThreadId>> LegThreads(const Host& host, const storage::Reader& reader,
                                                  const Broadcast& broadcast) {
  const threads::ReadContext context = host.ContextOf(reader, broadcast.caller);
  PARLEY_TRY(found, fanout::LegThreadsOf(context, broadcast.args.lbg_id, threads::kMaxBroadcastThreads + 1));
  return threads::BroadcastThreads(broadcast.caller, found);
}

void Finish(const Broadcast& broadcast) {
  Op::Reply reply;
  reply.duplicate = true;
  for (size_t i = 0; i < broadcast.threads.size(); ++i) {
    Op::Sent& sent = reply.sent.items.emplace_back();
    sent.thread_id = broadcast.threads[i];
    const Answer& answer = protocol::Sure(broadcast.answers[i]);
    protocol::Document document;
    protocol::MessageSend::Reply message;
    if (!answer.ok()) {
      sent.error = std::string(protocol::Describe(answer.error().code).name);
      reply.duplicate = false;
    } else if (!protocol::DecodeMsgpack(*answer, {}, &document) &&
               protocol::Bind(document.root, &message).ok()) {
      sent.message_id = message.message_id;
      reply.duplicate &= message.duplicate;
    }
  }
  broadcast.done(protocol::Encode(reply));
}

// In one of the threads.
threads::Result<threads::Decision> SendInto(threads::Transaction& tx, Broadcast& broadcast, size_t i) {
  threads::Judged judged;
  if (broadcast.examined) {
    PARLEY_TRY(found, threads::Judge(tx, broadcast.caller, broadcast.examined, broadcast.threads[i]));
    judged = std::move(found);
  }
  PARLEY_TRY(decision, threads::SendBroadcast(tx, broadcast.caller, broadcast.args, broadcast.threads[i],
                                              broadcast.threads.size(), judged));
  if (!threads::HasEffect(decision)) return std::move(decision);
  if (judged.refusal) {
    broadcast.refused[i] = judged.refusal;
    return threads::Refused(tx, broadcast.caller, judged);
  }
  threads::PutStrikes(tx, broadcast.caller, judged);
  return std::move(decision);
}

void SendToAll(Host& host, const BroadcastPtr& broadcast) {
  broadcast->waiting = broadcast->threads.size();
  broadcast->answers.resize(broadcast->threads.size());
  broadcast->refused.resize(broadcast->threads.size());
  for (size_t i = 0; i < broadcast->threads.size(); ++i) {
    threads::Job job;
    job.tenant = broadcast->caller.tenant;
    job.thread = broadcast->threads[i];
    job.decide = [broadcast, i](threads::Transaction& tx) { return SendInto(tx, *broadcast, i); };
    job.done = [broadcast, i](Answer answer) {
      if (answer.ok() && broadcast->refused[i]) answer = *broadcast->refused[i];
      broadcast->answers[i] = std::move(answer);
      if (--broadcast->waiting == 0) Finish(*broadcast);
    };
    host.Submit(std::move(job));
  }
}

// A repeat need not find the LBG's threads: its receivers were reserved before.
void Reserve(Host& host, const BroadcastPtr& broadcast, threads::Result<std::vector<ThreadId>> found) {
  threads::Job job;
  job.tenant = broadcast->caller.tenant;
  job.decide = [broadcast, found = std::move(found)](threads::Transaction& tx) {
    return threads::ReserveBroadcast(tx, broadcast->caller, broadcast->args, found);
  };
  job.refusal = broadcast->refusal;
  job.done = [&host, broadcast](Answer answer) {
    if (!answer.ok()) return broadcast->done(std::move(answer));
    broadcast->threads = threads::ReservedThreads(*answer);
    SendToAll(host, broadcast);
  };
  host.Submit(std::move(job));
}

void Send(Host& host, const OpCall& call, Done done) {
  const auto& args = call.As<Op>();
  if (auto shape = threads::CheckBroadcast(call.caller, args); !shape.ok())
    return done(std::move(shape.error()));
  auto broadcast = std::make_shared<Broadcast>(
      Broadcast{call.caller, args, std::move(done), call.refusal, {}, {}, nullptr, {}, 0});
  broadcast->examined = ExamineTexts(host, call.caller, threads::TextsOf<Op>(broadcast->args));
  host.Await(threads::Waits::kProject, [&host, broadcast](bool reached) {
    if (!reached) return broadcast->done(IndexBehind());
    // A write is carried out even if its session has ended.
    ReadAnywhere<std::vector<ThreadId>>(
        host, host.road(broadcast->caller.tenant),
        [&host = std::as_const(host), broadcast](const storage::Reader& reader) {
          return LegThreads(host, reader, *broadcast);
        },
        [&host, broadcast](threads::Result<std::vector<ThreadId>> found) {
          Reserve(host, broadcast, std::move(found));
        });
  });
}

}  // namespace

const Feature& BroadcastFeature() {
  static const Operation rows[] = {HandledOp<Op>(&Send)};
  static const Feature feature{.name = "broadcast", .operations = rows};
  return feature;
}

}  // namespace parley::features
