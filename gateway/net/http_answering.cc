// The part of HttpConnection that answers.
#include <algorithm>
#include <utility>

#include "gateway/net/compression.h"
#include "gateway/net/http_answer.h"
#include "gateway/net/http_connection.h"
#include "gateway/net/steady_time.h"

namespace parley::gateway {
namespace {

constexpr size_t kUnsentBytesMax = 64 * 1024;  // beyond it the next request waits
constexpr int kAnswersPerTurn = 64;            // then other connections have their turn
constexpr size_t kJoinedBytesMax = 16 * 1024;  // a smaller body is sent in one buffer with its head

}  // namespace

void HttpConnection::Respond(HttpResponse response) {
  if (!std::exchange(awaits_answer_, false) || !open()) return;
  // If it is answered before the end of its body, the rest is not read, and neither are later requests.
  const bool is_whole = !reader_.in_pieces() || reader_.at() != HttpReader::At::kBody;
  now_.keeps_alive = now_.keeps_alive && is_whole;
  // The receiver may be on the stack, so destroy it later.
  if (receiver_) pool_->loop->Post([done = std::shared_ptr<BodyReceiver>(std::move(receiver_))] {});
  SetPaused(false);
  deadline_.Clear();
  response = Affordable(std::move(response));
  if (!Compress(&response)) Send(std::move(response), now_.keeps_alive);
}

void HttpConnection::RespondRefusal(int status) {
  if (awaits_answer_ && open()) Respond(context_->handler->OnRefused(RefusalOf(status)));
}

// Small answers are always sent. A large one moves into the queue, so its memory is not taken twice.
HttpResponse HttpConnection::Affordable(HttpResponse response) const {
  constexpr size_t kSmall = 4096;
  const ReaderBudget* readers = context_->settings->readers.get();
  const size_t bytes = response.body.size();
  if (!readers || bytes <= kSmall || readers->Lacks(bytes) == 0) return response;
  pool_->relieve(readers->Lacks(bytes));
  if (readers->Lacks(bytes) == 0) return response;
  return context_->handler->OnRefused(RefusalOf(503));
}

bool HttpConnection::Compress(HttpResponse* response) {
  if (!IsCompressible(*response)) return false;
  SetVary(response);
  if (!now_.prefers_gzip) return false;
  if (response->gzipped) {
    SetGzipped(response, *response->gzipped);
  } else if (response->body.size() <= kCompressedOnLoopMax) {
    if (auto compressed = Gzip(response->body, GzipEffort::kQuick))
      SetGzipped(response, std::move(*compressed));
  } else if (context_->settings->compressor &&
             context_->keeps_alive) {  // in a drain the connection must not wait for it
    const auto text = std::make_shared<std::string>(std::move(response->body));
    const auto rest = std::make_shared<HttpResponse>(std::move(*response));
    const auto weak = std::weak_ptr<Socket>(shared_from_this());
    const auto share = std::make_shared<const ReaderShare>(context_->settings->readers, text->size());
    auto done = [loop = pool_->loop, weak, rest, share](std::string plain,
                                                        std::optional<std::string> compressed) {
      rest->body = std::move(plain);
      if (compressed) SetGzipped(rest.get(), std::move(*compressed));
      loop->Post([weak, rest] {
        const auto self = std::static_pointer_cast<HttpConnection>(weak.lock());
        if (self && self->open()) self->Send(std::move(*rest), self->now_.keeps_alive);
      });
    };
    if (context_->settings->compressor->Submit(text.get(), std::move(done))) return true;
    *response = std::move(*rest);
    response->body = std::move(*text);
  }
  return false;
}

void HttpConnection::Send(HttpResponse response, bool keeps_alive) {
  const bool has_body = !now_.is_head && HasBody(response.status);
  stays_ = keeps_alive && context_->keeps_alive && !EndsConnection(response);
  now_.status = response.status;
  now_.route = std::move(response.route);
  now_.corr_id = std::move(response.corr_id);
  if (response.source) {
    stream_ = std::make_unique<AnswerStream>(std::move(response.source), response.length, now_.is_http_1_1);
    if (stream_->form() == AnswerStream::Form::kToTheEnd) stays_ = false;
    BodyForm form{response.length, stream_->form() == AnswerStream::Form::kChunks};
    Queue(AnswerHead(response, form, stays_, now_.is_http_1_1));
    if (!has_body || response.length == std::optional<uint64_t>(0)) return EndAnswer();
    return Pull();
  }
  std::string wire = AnswerHead(response, {response.body.size(), false}, stays_, now_.is_http_1_1);
  if (!has_body) response.body.clear();
  now_.bytes_out = response.body.size();
  const bool joined = response.body.size() <= kJoinedBytesMax;
  if (joined) wire += response.body;
  Queue(std::move(wire));
  if (!joined) Queue(std::move(response.body));
  EndAnswer();
}

void HttpConnection::Queue(std::string wire) {
  if (wire.empty()) return;
  Enqueue(std::make_shared<const SharedFrame>(std::move(wire), context_->settings->readers));
  if (!progress_.is_set()) ExpectProgress();
}

// Makes one piece ahead of the peer: the next once the kernel has all of the one before.
void HttpConnection::Pull() {
  if (!stream_ || stream_->asked() || unsent_bytes() > 0) return;
  const auto weak = std::weak_ptr<Socket>(shared_from_this());
  // Posted, because the source is on the stack when it gives a piece at once, and this may destroy it.
  stream_->Ask([weak, loop = pool_->loop](BodyPiece piece) {
    loop->Post([weak, piece = std::move(piece)]() mutable {
      const auto self = std::static_pointer_cast<HttpConnection>(weak.lock());
      if (self && self->open() && self->stream_) self->OnPiece(std::move(piece));
    });
  });
}

void HttpConnection::OnPiece(BodyPiece piece) {
  std::string wire;
  const AnswerStream::Outcome outcome = stream_->Take(std::move(piece), &wire);
  now_.bytes_out = stream_->bytes();
  if (outcome == AnswerStream::Outcome::kBroken) return OnBroken();
  Queue(std::move(wire));
  if (outcome == AnswerStream::Outcome::kWhole) return EndAnswer();
  Pull();  // at once if the piece was empty
}

void HttpConnection::EndAnswer() {
  stream_.reset();
  HttpAnswered answered;
  answered.method = now_.method;
  answered.route = now_.route;
  answered.status = now_.status;
  answered.microseconds = now_.since_us == 0 ? 0 : SteadyMicroseconds() - now_.since_us;
  answered.bytes_in = now_.bytes_in;
  answered.bytes_out = now_.bytes_out;
  answered.address = address_;
  answered.corr_id = now_.corr_id;
  answered.trace = now_.trace;
  context_->handler->OnAnswered(answered);
  if (stays_ && context_->keeps_alive) return AwaitRequest();
  closing_ = true;
  deadline_.Clear();
  if (unsent_bytes() == 0) pool_->loop->Post([keep = shared_from_this(), this] { OnFlushed(); });
}

void HttpConnection::AwaitRequest() {
  now_ = {};
  idle_ = true;
  deadline_.Set(context_->settings->http_idle_timeout_ms);
  wants_next_ = unsent_bytes() > kUnsentBytesMax || ++answers_ >= kAnswersPerTurn;
  if (!wants_next_) WantInput();
}

void HttpConnection::OnFlushed() {
  if (!open()) return;
  answers_ = 0;
  if (unsent_bytes() == 0) {
    progress_.Clear();
    Pull();
    if (closing_ && !awaits_answer_ && !stream_) return Finish(Ending::kLinger);
  }
  if (wants_next_ && unsent_bytes() <= kUnsentBytesMax) {
    wants_next_ = false;
    WantInput();
  }
}

// A slow peer has time as long as it reads something within each interval.
void HttpConnection::ExpectProgress() {
  progress_at_ = done_bytes();
  progress_.Set(context_->settings->handshake_timeout_ms);
}

void HttpConnection::OnNoProgress() {
  const auto keep = shared_from_this();
  if (done_bytes() == progress_at_) return OnBroken();
  ExpectProgress();
}

}  // namespace parley::gateway
