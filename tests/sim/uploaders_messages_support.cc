// Messages with uploads, and who sees these.
#include <algorithm>

#include "features/files/file_access.h"
#include "features/files/process.h"
#include "tests/sim/uploaders_support.h"
#include "tests/sim/value_support.h"

namespace parley::sim {

using threads::ErrorCode;
using threads::FileState;

namespace {

std::string Quote(const std::string& text) {
  return '"' + text + '"';
}

bool LeavesOpen(const threads::Error& error) {
  return error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kInternal;
}

std::string CodeOf(const threads::Answer& answer) {
  return answer.ok() ? "" : std::string(protocol::Describe(answer.error().code).name);
}

}  // namespace

// "" if the sender may send them; "?" if the clock may have removed one.
std::string Uploaders::RefusalOf(const std::vector<Upload*>& uploads, size_t by, size_t thread) const {
  const auto& members = rooms_[thread].members;
  if (std::find(members.begin(), members.end(), by) == members.end()) return "THREAD_NOT_MEMBER";
  if (std::any_of(uploads.begin(), uploads.end(), [&](const Upload* one) { return MayBeSwept(*one); }))
    return "?";
  for (const Upload* one : uploads) {
    if (!one->now.state || one->by != by || one->thread != thread || !one->now.message.empty())
      return "NOT_FOUND";
  }
  for (const Upload* one : uploads) {
    const FileState state = *one->now.state;
    if (state == FileState::kQuarantined || state == FileState::kFailed) return "UPLOAD_QUARANTINED";
    if (state != FileState::kScanning && state != FileState::kReady) return "ACTION_INVALID_STATE";
  }
  return {};
}

void Uploaders::Send(Process& process) {
  std::vector<Upload*> uploads;
  for (size_t i = uploads_.size(); i-- > 0 && uploads.size() < 1 + Roll(3);) {
    Upload* const one = uploads_[i].get();
    const bool fits = uploads.empty() || (one->by == uploads[0]->by && one->thread == uploads[0]->thread);
    const bool complete = one->now.state == FileState::kScanning || one->now.state == FileState::kReady;
    const bool likely = fits && complete && one->now.message.empty();
    if (one->settled() && (likely || Roll(32) == 0)) uploads.push_back(one);
  }
  if (uploads.empty()) return;
  const size_t thread = uploads[0]->thread;
  const size_t by = Roll(12) == 0 ? 0 : uploads[0]->by;
  auto message = std::make_unique<Message>();
  message->thread = thread;
  message->by = by;
  message->busy = true;
  std::string list;
  for (Upload* one : uploads) {
    list += (list.empty() ? "" : ",") + (R"({"attachmentId":)" + Quote(one->id.ToText()) + "}");
    one->busy = true;
    one->candidate = one->now;
  }
  const std::string refusal = RefusalOf(uploads, by, thread);
  for (Upload* one : uploads) {
    if (refusal.empty() || refusal == "?") one->candidate->message = "?";
  }
  Message* const sent = message.get();
  messages_.push_back(std::move(message));
  Ask(process, CallerOf(by), "message.send",
      R"({"threadId":)" + Quote(rooms_[thread].id.ToText()) + R"(,"clientId":"file-)" +
          std::to_string(++names_) + R"(","type":"asset","body":"","attachments":[)" + list + "]}",
      [this, uploads, sent, refusal](const threads::Answer& answer) {
        OnSent(uploads, sent, refusal, answer);
      });
}

void Uploaders::OnSent(const std::vector<Upload*>& uploads, Message* message, const std::string& expected,
                       const threads::Answer& answer) {
  message->busy = false;
  for (Upload* one : uploads) one->busy = false;
  if (!answer.ok() && LeavesOpen(answer.error())) return;
  for (Upload* one : uploads) one->candidate.reset();
  if (expected != "?" && CodeOf(answer) != expected)
    return Complain(Name(*uploads[0]) + ": a send answers " + CodeOf(answer) + " instead of " + expected);
  if (!answer.ok()) return;
  protocol::Document reply;
  if (protocol::DecodeMsgpack(*answer, {}, &reply)) return Complain("a reply is bad");
  message->id = Text(reply.root, "messageId");
  for (Upload* one : uploads) one->now.message = message->id;
  ++counts_.sent;
}

// Its author deletes it, or staff withhold, restore or redact it.
void Uploaders::ChangeMessage(Process& process) {
  if (messages_.empty()) return;
  Message* const message = messages_[Roll(messages_.size())].get();
  if (message->id.empty() || message->busy || message->candidate || message->show == Show::kGone) return;
  const std::string on = R"({"threadId":)" + Quote(rooms_[message->thread].id.ToText()) + R"(,"messageId":)" +
                         Quote(message->id);
  const auto change = [&](const threads::Caller& caller, const char* op, const std::string& more, Show show,
                          size_t UploadCounts::*count) {
    message->busy = true;
    message->candidate = show;
    Ask(process, caller, op, on + more + "}", [this, message, show, count](const threads::Answer& answer) {
      message->busy = false;
      if (!answer.ok() && LeavesOpen(answer.error())) return;
      message->candidate.reset();
      if (!answer.ok()) return;
      message->show = show;
      ++(counts_.*count);
    });
  };
  threads::Caller staff = CallerOf(3);
  staff.role = threads::Role::kModerator;
  const auto moderate = [&](const char* state, Show show, size_t UploadCounts::*count) {
    change(staff, "moderation.message", R"(,"reason":"r","moderation":)" + Quote(state), show, count);
  };
  const bool shown = message->show == Show::kShown;
  switch (Roll(4)) {
    case 0:
      if (shown) change(CallerOf(message->by), "message.delete", "", Show::kGone, &UploadCounts::deleted);
      return;
    case 1:
      return moderate("redacted", Show::kGone, &UploadCounts::redacted);
    default:
      return shown ? moderate("blocked", Show::kWithheld, &UploadCounts::withheld)
                   : moderate("clean", Show::kShown, &UploadCounts::withheld);
  }
}

// The error of a look at the original, "" if it is served.
std::string Uploaders::ExpectedView(const Upload& upload, bool judged, size_t user) const {
  const auto& members = rooms_[upload.thread].members;
  const bool member = std::find(members.begin(), members.end(), user) != members.end();
  if (!member || !upload.now.state) return "NOT_FOUND";
  if (upload.now.message.empty() && user != upload.by) return "NOT_FOUND";
  for (const auto& message : messages_) {
    if (message->id == upload.now.message && !message->id.empty() && message->show != Show::kShown)
      return "NOT_FOUND";
  }
  switch (*upload.now.state) {
    case FileState::kReady:
      return judged || user == upload.by ? "" : "MSG_NSFW_BLOCKED";
    case FileState::kQuarantined:
      return "UPLOAD_QUARANTINED";
    case FileState::kRequested:
    case FileState::kUploading:
    case FileState::kScanning:
      return "ACTION_INVALID_STATE";
    default:
      return "NOT_FOUND";
  }
}

void Uploaders::Look(Process& process) {
  const Upload* const picked = PickOne();
  if (!picked || MayBeSwept(*picked)) return;
  const Upload& upload = *picked;
  for (const auto& message : messages_) {
    const bool known = !message->busy && !message->candidate && message->id != "?";
    if (message->id == upload.now.message && !known) return;
  }
  const size_t user = Roll(3);
  const features::Host& host = process.node().io();
  const threads::Caller caller = CallerOf(user);
  const auto found = features::FindFile(host.ContextOf(process.table(), caller), upload.id);
  threads::Answer view = found.ok() ? threads::Answer("") : threads::Answer(found.error());
  if (found.ok()) {
    const auto variant = features::VariantFor(*found, protocol::VariantName::kOriginal);
    if (!variant.ok()) view = variant.error();
  }
  ++counts_.looks;
  counts_.hidden += !view.ok();
  const std::string expected = ExpectedView(upload, RowOf(process, upload).judged, user);
  if (CodeOf(view) != expected)
    Complain(CallerOf(user).user->ToText() + " sees " + Name(upload) + ": " + CodeOf(view) + " instead of " +
             expected);
}

}  // namespace parley::sim
