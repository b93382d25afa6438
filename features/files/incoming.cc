#include "features/files/incoming.h"

#include <utility>

#include "features/files/digest.h"
#include "features/files/finish_upload.h"
#include "features/files/process.h"
#include "features/files/store_later.h"
#include "features/files/upload_state.h"
#include "features/host/cold_reads.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Status;
using threads::FileRow;
using threads::FileState;

// One piece is written while the next arrives. The last read of each may add 64 KiB.
constexpr size_t kPieceBytes = size_t{64} << 10;
constexpr int64_t kSyncedBytes = int64_t{4} << 20;

Error WithStatus(Error error, int status) {
  error.http_status = status;
  return error;
}

Error Mismatch(int64_t offset) {
  Error error(ErrorCode::kVersionConflict, "the upload goes on from another offset");
  error.fields = {{"Upload-Offset", std::to_string(offset)}};
  return WithStatus(std::move(error), 409);
}

// One request, shared by its receiver and the jobs on the disk threads. At most one job runs at a time, and
// only it touches `staged_`, `synced_` and `digest_` until it has ended.
class Incoming : public std::enable_shared_from_this<Incoming> {
 public:
  Incoming(const Call& call, UploadLink link, IncomingBytes bytes, HttpRoute::Respond respond)
      : host_(call.host),
        files_(FilesOf(call.host)),
        exchange_(call.exchange),
        link_(std::move(link)),
        bytes_(std::move(bytes)),
        respond_(std::move(respond)) {}

  ~Incoming() {
    if (claimed_) files_.Release(link_.file);
  }

  void Begin() {
    Pause(true);
    ReadAnywhere<FileRow>(
        host_, host_.road(link_.tenant),
        [&host = std::as_const(host_), link = link_](const storage::Reader& reader) {
          return ReadUpload(host, reader, link);
        },
        [self = shared_from_this()](protocol::Result<FileRow> row) {
          if (!row.ok()) return self->Fail(std::move(row.error()));
          self->OnRow(*std::move(row));
        });
  }

  void OnPiece(std::string_view piece) {
    if (over_) return;
    buffer_ += piece;
    if (static_cast<int64_t>(buffer_.size()) > room_)
      return Fail(
          WithStatus(ErrorFor(protocol::Reason::kRequestTooLarge, "more bytes than the upload's size"), 413));
    if (buffer_.size() < kPieceBytes) return;
    if (busy_) Pause(true);
    Flush();
  }

  void OnEnd() {
    ended_ = true;
    Flush();
  }

  // Keeps the bytes that arrived; the client continues after them.
  void OnGone() {
    gone_ = true;
    if (!over_) Flush();
  }

 private:
  void Pause(bool pause) {
    if (paused_ == pause) return;
    paused_ = pause;
    exchange_->PauseBody(pause);
  }

  // Runs `work` on a disk thread, and then `then` here.
  void OnDisk(std::function<Status()> work, std::function<void()> then) {
    busy_ = true;
    WorkPool::Job job = [self = shared_from_this(), work = std::move(work), then = std::move(then)] {
      auto done = std::make_shared<Status>(work());
      self->host_.Post([self, done, then] {
        self->busy_ = false;
        if (!done->ok()) return self->Fail(std::move(done->error()));
        then();
      });
    };
    if (files_.disks().Submit(link_.tenant.ToText(), job)) return;
    busy_ = false;
    Fail(ErrorFor(protocol::Reason::kFilesBusy, "too many files are being written"));
  }

  void OnRow(FileRow row) {
    if (over_ || gone_) return;
    if (IsComplete(row)) return Fail(Mismatch(row.item.size.value.value_or(0)));
    const auto touched = files_.staging().TouchedAt(link_.tenant, link_.file);
    if (UploadEnd(row, touched) <= host_.clock().Now())
      return Fail(WithStatus(ErrorFor(protocol::Reason::kNoFile, "the upload has expired"), 410));
    claimed_ = files_.Claim(link_.file);
    if (!claimed_)
      return Fail(WithStatus(ErrorFor(protocol::Reason::kSameUnderWay, "another request writes it"), 409));
    row_ = std::move(row);
    OnDisk([this] { return Open(); }, [this] { OnOpen(); });
  }

  Status Open() {
    PARLEY_TRY(staged, files_.staging().Open(link_.tenant, link_.file));
    staged_ = std::make_shared<StagedFile>(std::move(staged));
    synced_ = bytes_.offset ? staged_->offset() : 0;
    if (!bytes_.offset) return staged_->offset() == 0 ? protocol::Ok() : staged_->Restart();
    if (*bytes_.offset != staged_->offset()) return Mismatch(staged_->offset());
    if (!bytes_.checksum) return protocol::Ok();
    digest_.emplace(bytes_.checksum->algorithm == TusChecksum::Algorithm::kSha1 ? Digest::Kind::kSha1
                                                                                : Digest::Kind::kSha256);
    return staged_->BeginUnconfirmed();
  }

  void OnOpen() {
    room_ = row_->declared_size - staged_->offset();
    if (row_->state() == FileState::kUploading) return GoOn();
    threads::FileMove move;
    move.to = FileState::kUploading;
    Move(std::move(move), [this](const threads::Answer& answer) {
      if (!answer.ok()) return Fail(answer.error());
      GoOn();
    });
  }

  void Move(threads::FileMove move, std::function<void(const threads::Answer&)> then) {
    move.thread = link_.thread;
    move.id = link_.file;
    SubmitMove(
        host_, link_.tenant, std::move(move),
        [self = shared_from_this(), then = std::move(then)](const threads::Answer& answer) { then(answer); });
  }

  void GoOn() {
    if (over_) return;
    ready_ = true;
    if (ended_ || gone_ || buffer_.size() >= kPieceBytes) Flush();
    if (!over_ && !ended_ && !gone_) Pause(false);
  }

  // Writes what has arrived. When the request has ended, syncs and answers.
  void Flush() {
    if (over_ || busy_ || !ready_) return;
    const bool last = ended_ || gone_;
    auto bytes = std::make_shared<const std::string>(std::exchange(buffer_, {}));
    room_ -= static_cast<int64_t>(bytes->size());
    OnDisk([this, bytes, last] { return Write(*bytes, last); },
           [this, last] { return last ? OnWritten() : GoOn(); });
  }

  Status Write(const std::string& bytes, bool last) {
    PARLEY_CHECK_OK(staged_->Append(bytes));
    if (staged_->offset() - synced_ >= kSyncedBytes) {
      staged_->BeginSync(synced_);
      synced_ = staged_->offset();
    }
    if (digest_) digest_->Add(bytes);
    if (!last) return protocol::Ok();
    if (!digest_) return staged_->Sync();
    if (!gone_ && digest_->Finish() == bytes_.checksum->digest) return staged_->Confirm();
    PARLEY_CHECK_OK(staged_->DropUnconfirmed());
    return WithStatus(Error(ErrorCode::kBadRequest, "the bytes do not match Upload-Checksum"),
                      kTusChecksumMismatch);
  }

  void OnWritten() {
    if (gone_ && !ended_) return End();
    if (staged_->offset() < row_->declared_size) {
      if (!bytes_.offset) return Fail(Error::BadRequest("the body is shorter than the upload's size"));
      return Acknowledge();
    }
    OnWork();
  }

  // The whole file is here. The work takes as long as the file is large.
  void OnWork() {
    FinishUpload(host_, link_, *row_, staged_, [self = shared_from_this()](protocol::Status finished) {
      if (!finished.ok()) return self->OnUnfinished(std::move(finished.error()));
      self->Acknowledge();
    });
  }

  // Without the client: it has nothing more to send.
  void OnUnfinished(Error why) {
    const bool again = why.code != ErrorCode::kUnsupportedType;
    Fail(std::move(why));
    if (again) StoreLater(host_, link_.tenant, link_.thread, link_.file);
  }

  void Acknowledge() {
    if (over_) return;
    protocol::HttpResponse answer;
    answer.status = 204;
    answer.headers.emplace_back("Upload-Offset", std::to_string(staged_->offset()));
    const auto touched = host_.clock().Now();
    answer.headers.emplace_back("Upload-Expires", protocol::HttpDate(UploadEnd(*row_, touched).ms / 1000));
    End();
    respond_(std::move(answer));
  }

  void Fail(Error error) {
    if (over_) return;
    End();
    respond_(std::move(error));
  }

  void End() {
    over_ = true;
    if (std::exchange(claimed_, false)) files_.Release(link_.file);
  }

  Host& host_;
  Files& files_;
  const std::shared_ptr<protocol::HttpExchange> exchange_;
  const UploadLink link_;
  const IncomingBytes bytes_;
  const HttpRoute::Respond respond_;
  std::optional<FileRow> row_;
  std::shared_ptr<StagedFile> staged_;
  int64_t synced_ = 0;  // the disk has begun to write the bytes before it
  std::optional<Digest> digest_;
  std::string buffer_;
  int64_t room_ = INT64_MAX;  // bytes that the upload may still get, without those in `buffer_`
  bool claimed_ = false, paused_ = false, ready_ = false, busy_ = false;
  bool ended_ = false;  // the request's last byte is here
  bool over_ = false;   // answered, or abandoned
  std::atomic<bool> gone_ = false;
};

class Receiver final : public protocol::BodyReceiver {
 public:
  explicit Receiver(std::shared_ptr<Incoming> incoming) : incoming_(std::move(incoming)) {}
  void OnPiece(std::string_view piece) override { incoming_->OnPiece(piece); }
  void OnEnd() override { incoming_->OnEnd(); }
  void OnGone() override { incoming_->OnGone(); }

 private:
  const std::shared_ptr<Incoming> incoming_;
};

}  // namespace

std::unique_ptr<protocol::BodyReceiver> ReceiveUpload(const Call& call, const UploadLink& link,
                                                      IncomingBytes bytes, HttpRoute::Respond respond) {
  auto incoming = std::make_shared<Incoming>(call, link, std::move(bytes), std::move(respond));
  incoming->Begin();
  return std::make_unique<Receiver>(std::move(incoming));
}

}  // namespace parley::features
