#include "threads/messages/broadcast.h"

#include "protocol/base/reason.h"
#include "threads/engine/args_digest.h"
#include "threads/engine/reservations.h"

namespace parley::threads {
namespace {

protocol::MessageSend::Args SendArgs(const ThreadBroadcastArgs& args, const ThreadId& thread) {
  protocol::MessageSend::Args out;
  out.thread_id = thread;
  out.client_id = args.client_id;
  const bool files = args.attachments && !args.attachments->items.empty();
  out.type = files ? protocol::SendType::kAsset : protocol::SendType::kText;
  out.body = args.body;
  out.attachments = args.attachments;
  out.nsfw_band = args.nsfw_band;
  return out;
}

std::string BannerFor(size_t threads) {
  return threads == 2 ? "Sent to both bookings" : "Sent to all " + std::to_string(threads) + " bookings";
}

}  // namespace

protocol::Status CheckBroadcast(const Caller& caller, const ThreadBroadcastArgs& args) {
  const bool files = args.attachments && !args.attachments->items.empty();
  if (!files && args.body.value.empty()) return Error::BadField("body", "is empty");
  if (!caller.user) return ErrorFor(protocol::Reason::kOnlyUsers, "a broadcast must have an author");
  return protocol::Ok();
}

Result<std::vector<ThreadId>> BroadcastThreads(const Caller& caller, const std::vector<Standing>& legs) {
  std::vector<ThreadId> out;
  for (const Standing& standing : legs) {
    if (!standing.me) continue;
    if (!MayManage(caller, standing))
      return ErrorFor(protocol::Reason::kOnlyThreadOwners, "only owners may broadcast");
    out.push_back(standing.head.item.thread_id);
  }
  if (out.empty()) return ErrorFor(protocol::Reason::kNoLegThread, "no thread of a leg of this LBG");
  if (out.size() > kMaxBroadcastThreads)
    return ErrorFor(protocol::Reason::kTooManyLegs, "the LBG has more leg threads than a broadcast reaches");
  return out;
}

Result<Decision> ReserveBroadcast(Transaction& tx, const Caller& caller, const ThreadBroadcastArgs& args,
                                  const Result<std::vector<ThreadId>>& threads) {
  const auto partition = UserPartition(caller.tenant, *caller.user);
  const auto sort = BroadcastKey(args.client_id);
  std::optional<storage::Row> stored;
  const auto status = tx.Rows(caller.tenant).raw().Get(partition, sort, &stored);
  if (!status.ok()) return FromStorage(status);
  BroadcastRow row;
  if (stored) {
    if (!DecodeBroadcast(stored->payload, &row))
      return Error(ErrorCode::kInternal, "stored data cannot be read");
    if (!SaidBefore(row.digest, args))
      return Error(ErrorCode::kIdempotencyConflict, "this clientId was broadcast with other content");
    return AnswerOnly(stored->payload.substr(kDigestSize));
  }
  if (!threads.ok()) return threads.error();
  if (args.body.value.size() > tx.limits().max_body_bytes)
    return ErrorFor(protocol::Reason::kTextTooLong, "the body is longer than maxBodyBytes");
  row = {DigestOf(args), *threads};
  const std::string payload = EncodeBroadcast(row);
  ReserveFor(tx, caller.tenant, *caller.user, sort, payload);
  Decision decision = AnswerOnly(payload.substr(kDigestSize));
  decision.reserves_only = true;
  return decision;
}

std::vector<ThreadId> ReservedThreads(std::string_view answer) {
  BroadcastRow row;
  DecodeBroadcast(std::string(16, ' ') + std::string(answer), &row);
  return row.threads;
}

Result<Decision> SendBroadcast(Transaction& tx, const Caller& caller, const ThreadBroadcastArgs& args,
                               const ThreadId& thread, size_t threads, const Judged& judged) {
  const protocol::MessageSend::Args send = SendArgs(args, thread);
  PARLEY_TRY(loaded, SendMessage::Load(tx, caller, send));
  loaded.judged = judged;
  if (threads > 1) loaded.broadcast = protocol::BroadcastMark{args.lbg_id, BannerFor(threads)};
  return SendMessage::Decide(std::move(loaded), caller, send, tx.limits(), tx.moment());
}

}  // namespace parley::threads
