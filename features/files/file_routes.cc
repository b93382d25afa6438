// The routes by which files are fetched: a credential buys a link, and the link fetches the bytes.
#include <tuple>
#include <utility>

#include "features/files/blob_source.h"
#include "features/files/disposition.h"
#include "features/files/feature.h"
#include "features/files/file_access.h"
#include "features/files/files.h"
#include "features/host/access.h"
#include "features/host/cold_reads.h"
#include "features/host/route.h"
#include "protocol/base/reason.h"
#include "threads/staff/access_log.h"

namespace parley::features {
namespace {

using protocol::AttachmentId;
using protocol::HttpResponse;
using protocol::VariantName;

constexpr int64_t kLinkMs = int64_t{5} * 60 * 1000;
constexpr int64_t kRedirectSeconds = 60;                   // nothing can withdraw the store's own links
constexpr int64_t kMediaLinkMs = int64_t{60} * 60 * 1000;  // players fetch ranges for as long as they play

// --- GET /v1/files/{attachmentId}

enum class SafeMode : uint8_t { kOn, kOff };

}  // namespace
}  // namespace parley::features

template <>
struct parley::protocol::EnumNames<parley::features::SafeMode> {
  static constexpr std::string_view kNames[] = {"on", "off"};
};

namespace parley::features {
namespace {

struct FetchArgs {
  AttachmentId attachment_id;
  std::optional<VariantName> variant;
  std::optional<protocol::Text<1>> link;
  std::optional<SafeMode> safe_mode;
  static constexpr void Fields(auto& field) {
    using T = FetchArgs;
    field("attachmentId", &T::attachment_id, "the file");
    field("variant", &T::variant, "the bytes to fetch; original if not given");
    field("link", &T::link, "1: returns the link instead of a redirection to it");
    field("safeMode", &T::safe_mode,
          "for this link, in place of the user's preference; off: an adult, by the token, sees mature files "
          "if the thread allows it");
  }
};

struct LinkReply {
  std::string url;
  protocol::Time expires_at;
  static constexpr void Fields(auto& field) {
    field("url", &LinkReply::url, "the path that returns the bytes; it needs no other credential");
    field("expiresAt", &LinkReply::expires_at, "until when it can be used");
  }
};

bool IsPlayed(const threads::FileRow& row) {
  return row.item.mime &&
         (row.item.mime->value.starts_with("video/") || row.item.mime->value.starts_with("audio/"));
}

// Staff who fetch a file in quarantine are recorded even if they are members of its thread.
std::string_view LookOf(const threads::FileRow& row) {
  return row.state() == threads::FileState::kQuarantined ? threads::kQuarantinedLook : "files.get";
}

HttpResponse LinkAnswer(Host& host, const threads::Caller& caller, const FoundFile& found,
                        const FetchArgs& args) {
  FileLink link;
  link.tenant = caller.tenant;
  link.thread = found.thread;
  link.file = found.row.id();
  link.variant = args.variant.value_or(VariantName::kOriginal);
  link.band_max = found.viewer.band_max;
  link.sees_all = found.viewer.sees_all;
  link.by_case = found.viewer.by_case;
  if (link.by_case) link.viewer.value = caller.user;
  link.scans = found.viewer.scans;
  link.staff = caller.is_staff();
  link.expires_at.ms = host.clock().Now().ms + (IsPlayed(found.row) ? kMediaLinkMs : kLinkMs);
  const std::string url = "/v1/files/" + link.file.ToText() + "/" + FilesOf(host).links().Seal(link);
  HttpResponse answer;
  if (args.link) {
    answer = JsonAnswer(200, protocol::MsgpackToJson(protocol::Encode(LinkReply{url, link.expires_at})));
  } else {
    answer.status = 302;
    answer.headers.emplace_back("Location", url);
    answer.headers.emplace_back("Cache-Control", "no-store");
  }
  answer.compressible = false;  // the link is a credential
  return answer;
}

void FetchFor(const Call& call, const threads::Caller& caller, const FetchArgs& args,
              const Answering<HttpResponse>& then) {
  ReadAnywhere<FoundFile>(
      call.host, call.host.road(caller.tenant),
      [&host = std::as_const(call.host), caller,
       args](const storage::Reader& reader) -> protocol::Result<FoundFile> {
        PARLEY_TRY(found, FindFile(host.ContextOf(reader, caller), args.attachment_id));
        PARLEY_TRY(variant, VariantFor(found, args.variant.value_or(VariantName::kOriginal)));
        PARLEY_TRY(bytes, BytesOf(found.row, variant));
        static_cast<void>(bytes);
        return std::move(found);
      },
      [&host = call.host, caller, args, then](const protocol::Result<FoundFile>& found) {
        if (!found.ok()) return then(found.error());
        // Staff who look are recorded before they see anything.
        if (!caller.is_staff() || threads::IsProfile(found->thread))
          return then(LinkAnswer(host, caller, *found, args));
        RecordAccess(host, caller, found->thread, LookOf(found->row),
                     [&host, caller, args, found = *found, then](const threads::Answer& recorded) {
                       if (!recorded.ok()) return then(recorded.error());
                       then(LinkAnswer(host, caller, found, args));
                     });
      });
}

void OnFetch(const Call& call, FetchArgs args, Answering<HttpResponse> then) {
  auto caller = ActingAs(call.exchange->request(), call.who.caller);
  if (!caller.ok()) return then(std::move(caller.error()));
  if (args.safe_mode) caller->mature = call.who.adult && *args.safe_mode == SafeMode::kOff;
  FetchFor(call, *caller, args, then);
}

// --- GET /v1/files/{attachmentId}/{token}

struct BytesArgs {
  std::string attachment_id, token;
  static constexpr void Fields(auto& field) {
    field("attachmentId", &BytesArgs::attachment_id, "the file");
    field("token", &BytesArgs::token, "the last part of the link");
  }
};

struct Sending {
  SentBytes bytes;
  std::string name;
  bool is_open = false;  // every member may see it, whatever they have chosen
};

protocol::Result<Sending> FindSending(const threads::RowReader& rows, const FileLink& link,
                                      protocol::Time now) {
  PARLEY_TRY(found, FindLinked(rows, link, now));
  PARLEY_TRY(variant, VariantFor(found, link.variant));
  PARLEY_TRY(bytes, BytesOf(found.row, variant));
  const auto& [name, band, state] =
      std::tie(found.row.item.name.value, found.row.item.nsfw_band.value, found.row.item.state.value);
  const bool is_open = state == protocol::FileState::kReady && band && band->value == 0;
  return Sending{std::move(bytes), name ? name->value : "file", is_open};
}

// No variant's ETag tells another's.
std::string TagOf(const SentBytes& bytes) {
  return '"' + bytes.blob.substr(0, 32) + bytes.blob.substr(std::min<size_t>(bytes.blob.size(), 64)) + '"';
}

HttpResponse Headed(const Sending& sending) {
  HttpResponse answer;
  answer.compressible = false;
  answer.headers = {{"Content-Type", sending.bytes.mime},
                    {"Content-Disposition", Disposition(sending.bytes.mime, sending.name)},
                    {"Content-Security-Policy", "sandbox; default-src 'none'"},
                    {"Cross-Origin-Resource-Policy", "cross-origin"},
                    {"Accept-Ranges", "bytes"},
                    {"Cache-Control", "private, max-age=300"},
                    {"ETag", TagOf(sending.bytes)}};
  return answer;
}

bool Names(const std::string* header, const std::string& tag) {
  return header && (*header == "*" || header->find(tag) != std::string::npos);
}

RangeAnswer RangeFor(const protocol::HttpRequest& request, const Sending& sending) {
  const std::string* range = request.Header("Range");
  const std::string* only_if = request.Header("If-Range");
  const bool holds = !only_if || *only_if == TagOf(sending.bytes);
  return AnswerRange(range && holds ? std::string_view(*range) : std::string_view(), sending.bytes.size);
}

constexpr int64_t kSmallBytes = int64_t{64} << 10;

struct OpenedBlob {
  protocol::Result<std::unique_ptr<BlobReader>> reader;
  protocol::Result<std::string> bytes = std::string();  // the range, if it is small
};

OpenedBlob OpenRange(BlobStore& blobs, const protocol::TenantId& tenant, const std::string& blob,
                     ByteRange range) {
  OpenedBlob out{blobs.Open(tenant, blob)};
  const int64_t size = range.end - range.begin;
  if (out.reader.ok() && *out.reader && size <= kSmallBytes)
    out.bytes = (*out.reader)->ReadAt(range.begin, static_cast<size_t>(size));
  return out;
}

HttpResponse WithBody(Host& host, const protocol::TenantId& tenant, HttpResponse answer, OpenedBlob opened,
                      ByteRange range) {
  if (opened.bytes->size() == *answer.length) {
    answer.body = *std::move(opened.bytes);
  } else {
    answer.source = NewBlobSource(host, tenant, std::move(opened.reader.value()), range);
  }
  return answer;
}

// Opens the blob on a disk thread, which also reads a small range, and sends it.
void Send(Host& host, const protocol::TenantId& tenant, const Sending& sending, HttpResponse answer,
          ByteRange range, const Answering<HttpResponse>& then) {
  Files& files = FilesOf(host);
  auto head = std::make_shared<HttpResponse>(std::move(answer));
  WorkPool::Job job = [&host, &files, tenant, sending, head, range, then] {
    auto opened = std::make_shared<OpenedBlob>(OpenRange(files.blobs(), tenant, sending.bytes.blob, range));
    host.Post([&host, tenant, opened, head, range, then] {
      if (!opened->reader.ok()) return then(std::move(opened->reader.error()));
      if (!*opened->reader)
        return then(ErrorFor(protocol::Reason::kStoreUnreadable, "the bytes are missing"));
      if (!opened->bytes.ok()) return then(std::move(opened->bytes.error()));
      then(WithBody(host, tenant, std::move(*head), std::move(*opened), range));
    });
  };
  if (!files.disks().Submit(tenant.ToText(), job))
    then(ErrorFor(protocol::Reason::kFilesBusy, "too many files are being read"));
}

// The store's own link to bytes that everybody may see; empty: the server sends the bytes itself.
std::string StoreLink(const Call& call, const FileLink& link, const Sending& sending) {
  Files& files = FilesOf(call.host);
  if (!files.redirects() || !sending.is_open || call.exchange->request().method != "GET") return {};
  const BlobStore::SentAs as{sending.bytes.mime, Disposition(sending.bytes.mime, sending.name)};
  return files.blobs().LinkTo(link.tenant, sending.bytes.blob, as, call.host.clock().Now(), kRedirectSeconds);
}

HttpResponse RedirectTo(const std::string& url) {
  HttpResponse answer;
  answer.status = 302;
  answer.compressible = false;
  answer.headers = {{"Location", url}, {"Cache-Control", "no-store"}};
  return answer;
}

void SendAnswer(const Call& call, const FileLink& link, const Sending& sending,
                const Answering<HttpResponse>& then) {
  const protocol::HttpRequest& request = call.exchange->request();
  HttpResponse answer = Headed(sending);
  if (Names(request.Header("If-None-Match"), TagOf(sending.bytes))) {
    answer.status = 304;
    return then(std::move(answer));
  }
  if (const std::string url = StoreLink(call, link, sending); !url.empty()) return then(RedirectTo(url));
  const RangeAnswer range = RangeFor(request, sending);
  const std::string size = std::to_string(sending.bytes.size);
  if (range.kind == RangeKind::kUnsatisfiable) {
    answer.status = 416;
    answer.headers.emplace_back("Content-Range", "bytes */" + size);
    return then(std::move(answer));
  }
  if (range.kind == RangeKind::kPart) {
    answer.status = 206;
    answer.headers.emplace_back("Content-Range", "bytes " + std::to_string(range.range.begin) + "-" +
                                                     std::to_string(range.range.end - 1) + "/" + size);
  }
  answer.length = static_cast<uint64_t>(range.range.end - range.range.begin);
  Send(call.host, link.tenant, sending, std::move(answer), range.range, then);
}

void OnBytes(const Call& call, BytesArgs args, Answering<HttpResponse> then) {
  auto link = FilesOf(call.host).links().OpenFile(args.token);
  if (!link || link->file.ToText() != args.attachment_id || link->expires_at <= call.host.clock().Now())
    return then(ErrorFor(protocol::Reason::kNoFile, "the link is not valid or not valid any more"));
  const accounts::TenantPtr tenant = call.host.FindTenant(link->tenant);
  if (!tenant || tenant->status != accounts::TenantStatus::kActive)
    return then(ErrorFor(protocol::Reason::kTenantSuspended, "the tenant is not active"));
  ReadAnywhere<Sending>(
      call.host, call.host.road(link->tenant),
      [link = *link, now = call.host.clock().Now()](const storage::Reader& reader) {
        return FindSending(threads::RowReader(reader, link.tenant), link, now);
      },
      [call, link = *link, then = std::move(then)](const protocol::Result<Sending>& sending) {
        if (!sending.ok()) return then(sending.error());
        SendAnswer(call, link, *sending, then);
      });
}

}  // namespace

std::vector<HttpRoute> FileRoutes() {
  HttpRoute::Traits fetches;
  fetches.secret = true;
  fetches.otherwise = 302;
  HttpRoute::Traits bytes;
  bytes.media = "application/octet-stream";
  bytes.otherwise = 302;
  std::vector<HttpRoute> routes = {
      RouteTo<FetchArgs, HttpResponse, &OnFetch>(
          Method::kGet, "/v1/files/{attachmentId}", "getFile", kUsers | kServices, 200,
          "Redirects a member who may see the file to a link that returns its bytes", fetches),
      RouteTo<BytesArgs, HttpResponse, &OnBytes>(Method::kGet, "/v1/files/{attachmentId}/{token}",
                                                 "getFileBytes", kAnyone, 200,
                                                 "Returns the bytes of a link, whole or in ranges", bytes),
  };
  routes.front().reply_schema = &route_internal::ReplySchema<LinkReply>;
  return routes;
}

}  // namespace parley::features
