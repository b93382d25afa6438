// The uploaders' oracle: quotas, and rows against answers.
#include <algorithm>

#include "accounts/limits/quota_row.h"
#include "features/files/files.h"
#include "tests/sim/uploaders_support.h"
#include "threads/files/file_upkeep.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"

namespace parley::sim {

using threads::FileState;

namespace {

const protocol::TenantId kTenant{protocol::KeyText::UpToNul("files-ten")};
constexpr int64_t kHourMs = 3'600'000;

bool IsOpen(const std::optional<FileState>& state) {
  return state == FileState::kRequested || state == FileState::kUploading;
}

bool HasBytes(const std::optional<FileState>& state) {
  return IsOpen(state) || state == FileState::kScanning || state == FileState::kReady ||
         state == FileState::kQuarantined;
}

}  // namespace

// No command and no work of the clock changes an upload at this time.
bool Uploaders::IsQuiet() const {
  return std::all_of(uploads_.begin(), uploads_.end(), [this](const auto& one) {
    return one->settled() && (!one->now.state || !MayBeSwept(*one));
  });
}

std::vector<Uploaders::Lack> Uploaders::Lacking(const Upload& wish, int64_t now_ms, bool most) const {
  int64_t thread = 0, tenant = 0, open = 0, count = 0, bytes = 0;
  for (const auto& one : uploads_) {
    if (one.get() == &wish) continue;
    const int64_t size = HasBytes(one->now.state) ? one->now.size : 0;
    tenant += size;
    if (one->thread == wish.thread) thread += size;
    if (one->by != wish.by) continue;
    open += IsOpen(one->now.state);
    // The day moves on by the hour. Uploads begun while the clock was ahead may count or not.
    const int64_t hour = one->begun_ms / kHourMs, now = now_ms / kHourMs;
    const bool in_day = hour > now - 24 && (most || hour <= now);
    if (!in_day || !(most ? one->may_count : one->counts)) continue;
    ++count;
    if (!(most ? one->brought_nothing : one->may_bring_nothing)) bytes += one->declared;
  }
  std::vector<Lack> out;
  const auto limit = [&](const char* name, int64_t room, int64_t wanted) {
    if (wanted > room) out.push_back({name, std::max<int64_t>(room, 0)});
  };
  limit("perThreadBytes", 4000 - thread, wish.declared);
  limit("concurrentPerUser", 3 - open, 1);
  limit("perUserPerDayCount", 14 - count, 1);
  limit("perUserPerDayBytes", 9000 - bytes, wish.declared);
  limit("tenantBytes", 6000 - tenant, wish.declared);
  return out;
}

bool Uploaders::IsGone(const std::string& message, bool certainly) const {
  for (const auto& one : messages_) {
    if (one->id != message) continue;
    return one->show == Show::kGone || (!certainly && one->candidate == Show::kGone);
  }
  return false;
}

bool Uploaders::MayBeSwept(const Upload& upload) const {
  if (!upload.now.state) return true;
  if (!upload.now.message.empty()) return IsGone(upload.now.message, false);
  if (upload.now.state == FileState::kScanning && !upload.candidate) return false;
  return latest_ms_ >= upload.lives_from_ms + 24 * kHourMs;
}

Uploaders::Facts Uploaders::RowOf(Process& process, const Upload& upload) const {
  const threads::RowReader rows(process.table(), kTenant);
  const auto row = threads::ReadFile(rows, rooms_[upload.thread].id, upload.id);
  Facts facts;
  if (!row.ok() || !*row) return facts;
  facts.state = (*row)->state();
  facts.size = (*row)->item.size.value.value_or(0);
  if ((*row)->blob.value) facts.blob = (*row)->blob.value->value;
  if ((*row)->message_id) facts.message = (*row)->message_id->ToText();
  facts.by_scanner = (*row)->by_scanner.value.value_or(false);
  facts.judged = (*row)->item.nsfw_band.value.has_value();
  return facts;
}

// The row is as the last answer left it, or as the command without an answer would, or the clock removed it.
void Uploaders::Learn(Process& process, Upload* upload, const char* when) {
  const Facts row = RowOf(process, *upload);
  const auto is = [&](const std::optional<Facts>& known) {
    if (!known) return false;
    Facts expected = *known;
    // The server judges text itself, at a moment of its own.
    expected.judged |= row.judged && !expected.blob.empty();
    if (expected.message == "?") expected.message = row.message.empty() ? "?" : row.message;
    return expected == row;
  };
  const bool swept = !row.state && upload->now.state && MayBeSwept(*upload);
  if (!is(upload->now) && !is(upload->candidate) && !swept) {
    return Complain(std::string(when) + ": " + Name(*upload) + " is " +
                    (row.state ? std::string(protocol::NameOf(*row.state)) : "gone") + " instead of " +
                    (upload->now.state ? std::string(protocol::NameOf(*upload->now.state)) : "gone") +
                    " in message '" + row.message + "' instead of '" + upload->now.message + "'");
  }
  // Maybe it began after the clock was set back.
  if (upload->candidate) upload->lives_from_ms = std::min(upload->lives_from_ms, process.clock().Now().ms);
  counts_.swept += swept;
  upload->counts |= row.state.has_value();
  upload->may_count = upload->counts || latest_ms_ >= upload->lives_from_ms + 24 * kHourMs;
  upload->brought_nothing |= row.state == FileState::kCancelled || row.state == FileState::kFailed;
  upload->may_bring_nothing |= upload->brought_nothing || (upload->candidate && !row.state);
  upload->now = row;
  upload->candidate.reset();
}

// A message whose change was not answered.
void Uploaders::LearnMessage(Process& process, Message* message, const char* when) {
  if (message->id.empty() || message->busy) return;
  const threads::RowReader rows(process.table(), kTenant);
  const auto row = rows.Message(rooms_[message->thread].id, *protocol::MessageId::FromText(message->id));
  if (!row.ok() || !*row) return Complain(std::string(when) + ": a message is lost: " + message->id);
  const bool withheld = (*row)->hidden.withheld.value.has_value();
  const Show show = withheld                                                            ? Show::kWithheld
                    : (*row)->item.deleted_at || (*row)->item.attachments.items.empty() ? Show::kGone
                                                                                        : Show::kShown;
  if (show != message->show && show != message->candidate)
    return Complain(std::string(when) + ": the files of " + message->id + " are " +
                    std::to_string(static_cast<int>(show)));
  message->show = show;
  message->candidate.reset();
}

// Every row's bytes are in the store.
void Uploaders::CheckBytes(Process& process, const Upload& upload, const char* when) {
  if (upload.now.blob.empty()) return;
  const auto bytes = features::FilesOf(process.node().io()).blobs().Open(kTenant, upload.now.blob);
  if (!bytes.ok() || !*bytes || (*bytes)->size() != upload.now.size)
    Complain(std::string(when) + ": the bytes of " + Name(upload) + " are lost");
}

void Uploaders::Check(Process& process, const char* when) {
  latest_ms_ = std::max(latest_ms_, process.clock().Now().ms);
  // First the messages, since the clock removes the uploads of those that are gone.
  for (auto& message : messages_) LearnMessage(process, message.get(), when);
  for (auto& upload : uploads_) {
    if (upload->busy) {
      Complain(std::string(when) + ": a command for " + Name(*upload) + " was never answered");
      continue;
    }
    const bool was_sent_unheard = upload->candidate && upload->candidate->message == "?";
    Learn(process, upload.get(), when);
    CheckBytes(process, *upload, when);
    const bool known = std::any_of(messages_.begin(), messages_.end(),
                                   [&](const auto& one) { return one->id == upload->now.message; });
    if (!was_sent_unheard || upload->now.message.empty() || known) continue;
    auto message = std::make_unique<Message>();
    message->id = upload->now.message;
    message->thread = upload->thread;
    message->by = upload->by;
    messages_.push_back(std::move(message));
  }
}

void Uploaders::Finish(Process& process) {
  Check(process, "at the end");
  for (const auto& upload : uploads_) {
    const auto& state = upload->now.state;
    const bool waits = state == FileState::kScanning || state == FileState::kQuarantined;
    const bool unsent = upload->now.message.empty();
    if (state && (unsent ? !waits : IsGone(upload->now.message, true) && state != FileState::kScanning))
      Complain(Name(*upload) + ": is there although nobody needs it");
  }
}

}  // namespace parley::sim
