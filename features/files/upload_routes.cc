// The routes of uploads: tus, and plain calls for scripts.
#include <algorithm>

#include "features/files/feature.h"
#include "features/files/files.h"
#include "features/files/incoming.h"
#include "features/files/process.h"
#include "features/files/tus.h"
#include "features/files/upload_offset.h"
#include "features/files/upload_state.h"
#include "features/host/cold_reads.h"
#include "features/host/route.h"
#include "features/text_policy/asks.h"
#include "protocol/base/ascii.h"
#include "protocol/base/reason.h"
#include "protocol/base/sure.h"
#include "threads/files/profile_file.h"

namespace parley::features {
namespace {

using protocol::AttachmentId;
using protocol::Error;
using protocol::ErrorCode;
using protocol::HttpResponse;
using threads::FileRow;

// --- POST /v1/uploads

struct BeginArgs {
  std::optional<protocol::ThreadId> thread_id;
  std::optional<protocol::Text<255>> name;
  std::optional<protocol::Text<127>> mime;
  std::optional<int64_t> size;
  std::optional<protocol::Text<64>> sha256;
  std::optional<bool> keep_metadata;
  std::optional<threads::FilePurpose> purpose;

  static constexpr void Fields(auto& field) {
    using T = BeginArgs;
    field("threadId", &T::thread_id, "the thread to which the file will be sent");
    field("name", &T::name, "file name");
    field("mime", &T::mime, "media type; the bytes must be of this type");
    field("size", &T::size, "number of bytes; tus clients give Upload-Length instead");
    field("sha256", &T::sha256, "SHA-256 of the bytes, hexadecimal; the upload fails if it differs");
    field("keepMetadata", &T::keep_metadata,
          "keeps EXIF, GPS and XMP data in the original; false by default: they are removed");
    field("purpose", &T::purpose,
          "avatar or brand, in the place of threadId: an image that everybody in the tenant sees");
  }
};

struct BegunUpload {
  protocol::Attachment attachment;
  std::string upload_url;
  protocol::Time expires_at;
  static constexpr void Fields(auto& field) {
    using T = BegunUpload;
    field("attachment", &T::attachment, "the attachment, in state `requested`");
    field("uploadUrl", &T::upload_url, "the path that takes the bytes; it needs no other credential");
    field("expiresAt", &T::expires_at, "when the upload ends unless a byte comes before");
  }
};

// tus clients send the same names as metadata, or those of Uppy and tus-js-client.
const std::string* FindEither(const TusMetadata& metadata, std::string_view one, std::string_view other) {
  const std::string* found = FindTusValue(metadata, one);
  return found ? found : FindTusValue(metadata, other);
}

template <size_t N>
protocol::Status TakeText(const std::string* value, const char* field,
                          std::optional<protocol::Text<N>>* out) {
  if (!value || *out) return protocol::Ok();
  if (value->size() > N) return Error::BadField(field, "is too long");
  out->emplace(protocol::Text<N>{*value});
  return protocol::Ok();
}

protocol::Status TakeTusHeaders(const protocol::HttpRequest& request, BeginArgs* args) {
  const std::string* length = request.Header("Upload-Length");
  if (!length) return protocol::Ok();
  args->size = ParseByteCount(*length);
  if (!args->size) return Error::BadField("Upload-Length", "is not a number of bytes");
  const std::string* header = request.Header("Upload-Metadata");
  if (!header) return protocol::Ok();
  PARLEY_TRY(metadata, ParseTusMetadata(*header));
  if (const std::string* thread = FindTusValue(metadata, "threadId"); thread && !args->thread_id) {
    args->thread_id = protocol::ThreadId::FromText(*thread);
    if (!args->thread_id) return Error::BadField("threadId", "is not a valid id");
  }
  if (const std::string* purpose = FindTusValue(metadata, "purpose"); purpose && !args->purpose) {
    args->purpose = protocol::EnumFromName<threads::FilePurpose>(*purpose);
    if (!args->purpose) return Error::BadField("purpose", "is avatar or brand");
  }
  PARLEY_CHECK_OK(TakeText(FindEither(metadata, "name", "filename"), "name", &args->name));
  const std::string* mime = FindTusValue(metadata, "mime");
  PARLEY_CHECK_OK(TakeText(mime ? mime : FindEither(metadata, "filetype", "type"), "mime", &args->mime));
  PARLEY_CHECK_OK(TakeText(FindTusValue(metadata, "sha256"), "sha256", &args->sha256));
  const std::string* keep = FindTusValue(metadata, "keepMetadata");
  if (keep && !args->keep_metadata) args->keep_metadata = *keep == "true";
  return protocol::Ok();
}

bool IsHexDigest(const std::string& text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

// The last part of a path, without control characters; clients may send "C:\\photos\\cat.jpg".
std::string BaseName(std::string_view name) {
  const size_t slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string out(name);
  std::erase_if(out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
  return out;
}

protocol::Status CheckFields(BeginArgs* args) {
  if (!args->thread_id && !args->purpose) return Error::BadField("threadId", "is required");
  if (args->thread_id && args->purpose) return Error::BadField("purpose", "does not go with threadId");
  if (!args->mime || args->mime->value.empty()) return Error::BadField("mime", "is required");
  if (!args->size || *args->size < 1) return Error::BadField("size", "is at least 1");
  if (args->sha256 && !IsHexDigest(args->sha256->value))
    return Error::BadField("sha256", "is not 64 hexadecimal digits");
  if (!args->name) args->name.emplace(protocol::Text<255>{"file"});
  args->name->value = BaseName(args->name->value);
  if (args->name->value.empty()) return Error::BadField("name", "is empty");
  const size_t parameters = std::min(args->mime->value.find(';'), args->mime->value.size());
  args->mime->value.resize(parameters);
  for (char& c : args->mime->value) c = protocol::LowerOf(c);
  return protocol::Ok();
}

// Judges by the tenant's settings, before any row is read.
protocol::Status CheckRules(const FileRules& rules, const BeginArgs& args) {
  if (!rules.enabled) return ErrorFor(protocol::Reason::kFilesOff, "the tenant does not allow files");
  if (std::find(rules.types.begin(), rules.types.end(), args.mime->value) == rules.types.end()) {
    Error error(ErrorCode::kUnsupportedType, "the tenant does not allow this type");
    error.fields = {{"limit", "types"}, {"mime", args.mime->value}};
    return error;
  }
  if (args.purpose && !args.mime->value.starts_with("image/")) {
    Error error(ErrorCode::kUnsupportedType, "an avatar or a brand is an image");
    error.fields = {{"mime", args.mime->value}};
    return error;
  }
  const int64_t most = args.purpose ? std::min(rules.max_bytes, threads::kProfileBytesMax) : rules.max_bytes;
  if (*args.size <= most) return protocol::Ok();
  Error error(ErrorCode::kAttachmentTooLarge, "the file is larger than the tenant allows");
  error.fields = {{"limit", "maxBytes"}, {"left", std::to_string(most)}};
  return error;
}

std::string UploadPath(const Files& files, const UploadLink& link) {
  return "/v1/uploads/" + link.file.ToText() + "/" + files.links().Seal(link);
}

HttpResponse Begun(const Host& host, const UploadLink& link, const FileRow& row) {
  const BegunUpload begun{row.item, UploadPath(FilesOf(host), link), UploadEnd(row, std::nullopt)};
  HttpResponse answer = JsonAnswer(201, protocol::MsgpackToJson(protocol::Encode(begun)));
  answer.compressible = false;  // its URL is a credential
  answer.headers.emplace_back("Location", begun.upload_url);
  answer.headers.emplace_back("Upload-Expires", protocol::HttpDate(begun.expires_at.ms / 1000));
  return answer;
}

Answering<HttpResponse> NotingRefusals(Files& files, Answering<HttpResponse> then) {
  return [&files, then = std::move(then)](protocol::Result<HttpResponse> answer) {
    if (!answer.ok()) files.refusals().Note(answer.error());
    then(std::move(answer));
  };
}

void OnBegin(const Call& call, BeginArgs args, Answering<HttpResponse> then) {
  then = NotingRefusals(FilesOf(call.host), std::move(then));
  auto taken = TakeTusHeaders(call.exchange->request(), &args);
  if (taken.ok()) taken = CheckFields(&args);
  const FileRules rules = Files::RulesOf(call.host, call.tenant());
  if (taken.ok()) taken = CheckRules(rules, args);
  auto caller = ActingAs(call.exchange->request(), call.who.caller);
  if (!taken.ok()) return then(std::move(taken.error()));
  if (!caller.ok()) return then(std::move(caller.error()));
  threads::UploadWish wish;
  wish.thread = args.thread_id.value_or(protocol::ThreadId());
  wish.id = AttachmentId{call.host.ids().Make(call.host.clock().Now())};
  wish.name = *std::move(args.name);
  wish.mime = *std::move(args.mime);
  wish.size = *args.size;
  wish.sha256.value = args.sha256;
  wish.keep_metadata = args.keep_metadata.value_or(false);
  wish.thread_bytes_max = rules.per_thread_bytes;
  threads::Texts texts;
  texts.thread = wish.thread;
  texts.others = wish.name.value;
  JudgedWrite write{{}, *caller, ExamineTexts(call.host, *caller, std::move(texts)), {}};
  write.job.tenant = call.tenant();
  write.job.thread = wish.thread;
  write.decide = [caller = *caller, wish, purpose = args.purpose](threads::Transaction& tx,
                                                                  const threads::Judged*) {
    return purpose ? threads::BeginProfile(tx, caller, wish, *purpose)
                   : threads::BeginUpload(tx, caller, wish);
  };
  SubmitJudged(call.host, std::move(write),
               [&host = call.host, caller = *caller, thread = wish.thread,
                then = std::move(then)](const threads::Answer& answer) {
                 if (!answer.ok()) return then(answer.error());
                 protocol::AttachmentReply reply;
                 if (!threads::DecodeStored(*answer, &reply)) return then(Error());
                 FileRow row;
                 row.item = reply.attachment;
                 row.begun_at = protocol::Sure(row.item.created_at.value);
                 then(Begun(host, {caller.tenant, thread, row.id(), protocol::Sure(caller.user)}, row));
               });
}

// --- the upload's URL

struct LinkArgs {
  std::string attachment_id, token;
  static constexpr void Fields(auto& field) {
    field("attachmentId", &LinkArgs::attachment_id, "the upload");
    field("token", &LinkArgs::token, "the last part of `uploadUrl`");
  }
};

protocol::Result<UploadLink> OpenLink(const Call& call, const LinkArgs& args) {
  auto link = FilesOf(call.host).links().OpenUpload(args.token);
  if (!link || link->file.ToText() != args.attachment_id)
    return ErrorFor(protocol::Reason::kNoFile, "no such upload");
  return *std::move(link);
}

protocol::Status CheckVersion(const protocol::HttpRequest& request) {
  const std::string* version = request.Header("Tus-Resumable");
  if (version && *version == kTusVersion) return protocol::Ok();
  Error error = Error::BadField("Tus-Resumable", "is not 1.0.0");
  error.http_status = 412;
  return error;
}

void OnOffset(const Call& call, LinkArgs args, Answering<HttpResponse> then) {
  if (auto version = CheckVersion(call.exchange->request()); !version.ok())
    return then(std::move(version.error()));
  auto link = OpenLink(call, args);
  if (!link.ok()) return then(std::move(link.error()));
  FindUploadOffset(call.host, *link, [then = std::move(then)](const protocol::Result<UploadOffset>& found) {
    if (!found.ok()) return then(found.error());
    HttpResponse answer;
    answer.headers.emplace_back("Upload-Offset", std::to_string(found->offset));
    answer.headers.emplace_back("Upload-Length", std::to_string(found->row.declared_size));
    const protocol::Time end = UploadEnd(found->row, found->touched_at);
    if (found->offset < found->row.declared_size)
      answer.headers.emplace_back("Upload-Expires", protocol::HttpDate(end.ms / 1000));
    then(std::move(answer));
  });
}

void OnTerminate(const Call& call, LinkArgs args, Answering<NoContent> then) {
  auto link = OpenLink(call, args);
  if (!link.ok()) return then(std::move(link.error()));
  ReadAnywhere<FileRow>(
      call.host, call.host.road(link->tenant),
      [&host = std::as_const(call.host), link = *link](const storage::Reader& reader) {
        return ReadUpload(host, reader, link);
      },
      [&host = call.host, link = *link, then = std::move(then)](const protocol::Result<FileRow>& row) {
        if (!row.ok()) return then(row.error());
        CancelUpload(host, link.tenant, link.thread, link.file, [then](const threads::Answer& answer) {
          if (!answer.ok()) return then(answer.error());
          then(NoContent());
        });
      });
}

std::unique_ptr<protocol::BodyReceiver> OnPatch(const Call& call, LinkArgs args, HttpRoute::Respond respond) {
  const protocol::HttpRequest& request = call.exchange->request();
  const auto fail = [&](Error error) {
    respond(std::move(error));
    return nullptr;
  };
  if (auto version = CheckVersion(request); !version.ok()) return fail(std::move(version.error()));
  const std::string* media = request.Header("Content-Type");
  if (!media || *media != kTusMedia) {
    Error error = Error::BadField("Content-Type", "is not application/offset+octet-stream");
    error.http_status = 415;
    return fail(std::move(error));
  }
  IncomingBytes bytes;
  const std::string* offset = request.Header("Upload-Offset");
  bytes.offset = offset ? ParseByteCount(*offset) : std::nullopt;
  if (!bytes.offset) return fail(Error::BadField("Upload-Offset", "is not a number of bytes"));
  if (const std::string* checksum = request.Header("Upload-Checksum")) {
    auto parsed = ParseTusChecksum(*checksum);
    if (!parsed.ok()) return fail(std::move(parsed.error()));
    bytes.checksum = *std::move(parsed);
  }
  auto link = OpenLink(call, args);
  if (!link.ok()) return fail(std::move(link.error()));
  return ReceiveUpload(call, *link, std::move(bytes), std::move(respond));
}

std::unique_ptr<protocol::BodyReceiver> OnPut(const Call& call, LinkArgs args, HttpRoute::Respond respond) {
  auto link = OpenLink(call, args);
  if (!link.ok()) {
    respond(std::move(link.error()));
    return nullptr;
  }
  return ReceiveUpload(call, *link, {}, std::move(respond));
}

protocol::HttpHeaders Options() {
  return TusOptions(0);
}

}  // namespace

namespace {

using HeaderDoc = HttpRoute::HeaderDoc;

constexpr HeaderDoc kVersion = {"Tus-Resumable", "1.0.0, of tus clients"};
constexpr HeaderDoc kOffset = {"Upload-Offset", "the number of bytes that are stored"};
constexpr HeaderDoc kExpires = {"Upload-Expires", "the end of the upload's URL"};
constexpr HeaderDoc kBeginTakes[] = {
    kVersion,
    {"Upload-Length", "the number of bytes, of tus clients"},
    {"Upload-Metadata", "the arguments, of tus clients: threadId, name, mime, sha256"}};
constexpr HeaderDoc kBeginGives[] = {{"Location", "the upload's URL"}, kExpires};
constexpr HeaderDoc kOffsetGives[] = {
    kOffset, {"Upload-Length", "the number of bytes of the file"}, kExpires};
constexpr HeaderDoc kAppendTakes[] = {
    {"Tus-Resumable", "1.0.0", true},
    {"Upload-Offset", "where the bytes belong: the number of bytes that are stored", true},
    {"Upload-Checksum", "sha1 or sha256, and the checksum of these bytes in base64"}};
constexpr HeaderDoc kAppendGives[] = {kOffset, kExpires};

}  // namespace

std::vector<HttpRoute> UploadRoutes() {
  constexpr std::string_view kUrl = "/v1/uploads/{attachmentId}/{token}";
  HttpRoute::Traits tus;
  tus.headers = &TusHeaders;
  tus.options = &Options;
  HttpRoute::Traits begins = tus;
  begins.secret = true;
  begins.takes = kBeginTakes;
  begins.gives = kBeginGives;
  HttpRoute::Traits pieces = tus;
  pieces.body_bytes_max = kUploadBytesMax;
  pieces.media = {};
  HttpRoute::Traits appends = pieces;
  appends.takes = kAppendTakes;
  appends.gives = kAppendGives;
  HttpRoute::Traits heads = tus;
  heads.media = {};
  HttpRoute::Traits offsets = heads;
  offsets.gives = kOffsetGives;
  std::vector<HttpRoute> routes = {
      RouteTo<BeginArgs, HttpResponse, &OnBegin>(
          Method::kPost, "/v1/uploads", "createUpload", kUsers | kServices, 201,
          "Begins an upload, by tus or with JSON; the answer's Location takes the bytes", begins),
      RouteTo<LinkArgs, HttpResponse, &OnOffset>(Method::kGet, kUrl, "getUploadOffset", kAnyone, 200,
                                                 "Returns in Upload-Offset how many bytes have arrived",
                                                 offsets),
      RouteInPieces<LinkArgs, &OnPatch>(Method::kPatch, kUrl, "appendUpload",
                                        "Appends bytes from Upload-Offset on (tus)", appends),
      RouteInPieces<LinkArgs, &OnPut>(Method::kPut, kUrl, "putUpload",
                                      "Takes the whole file in one call, for scripts", pieces),
      RouteTo<LinkArgs, NoContent, &OnTerminate>(Method::kDelete, kUrl, "cancelUpload", kAnyone, 204,
                                                 "Cancels an incomplete upload", heads),
  };
  routes.front().reply_schema = &route_internal::ReplySchema<BegunUpload>;
  for (HttpRoute& route : routes) {
    if (route.bind_pieces) route.status = 204;
  }
  return routes;
}

}  // namespace parley::features
