#include "features/files/s3_upload.h"

#include <algorithm>

#include "features/files/digest.h"
#include "features/files/s3_xml.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "protocol/base/log.h"
#include "protocol/base/reason.h"

namespace parley::features {
namespace {

constexpr int64_t kPartsMax = 10'000;  // S3's limit
constexpr int64_t kHashStep = int64_t{256} << 10;

protocol::Error Strange(const char* what) {
  protocol::Log(protocol::LogLevel::kError, "files", "the store of files gave a strange answer",
                {{"to", what}});
  return ErrorFor(protocol::Reason::kStoreDown, "the store of files gave a strange answer");
}

// S3 compares it with the bytes that arrive.
protocol::Result<std::string> HashOfPart(const PosixFile& file, int64_t offset, int64_t size) {
  Digest digest(Digest::Kind::kSha256);
  for (const int64_t end = offset + size; offset < end;) {
    PARLEY_TRY(bytes, file.ReadAt(offset, static_cast<size_t>(std::min(kHashStep, end - offset))));
    if (bytes.empty()) return ErrorFor(protocol::Reason::kStoreDown, "the store of files failed");
    digest.Add(bytes);
    offset += static_cast<int64_t>(bytes.size());
  }
  return protocol::Hex(digest.Finish());
}

// Returns the ETag.
protocol::Result<std::string> SendPart(S3Client& client, S3Request request, const PosixFile& file,
                                       int64_t offset, int64_t size) {
  PARLEY_TRY(hash, HashOfPart(file, offset, size));
  request.method = "PUT";
  request.payload_hash = hash;
  PARLEY_TRY(answer, client.Ask(request, {.file = &file, .offset = offset, .size = size}));
  if (answer.status == 404) return Strange("PUT");  // the part's upload has been aborted
  return std::move(answer.etag);
}

protocol::Result<S3Answer> Post(S3Client& client, const std::string& path, accounts::QueryParameters query,
                                const std::string& text) {
  S3Request request;
  request.method = "POST";
  request.path = path;
  request.query = std::move(query);
  request.headers = {{"content-type", "application/xml"}};
  request.payload_hash = protocol::Hex(protocol::Sha256(text));
  return client.Ask(request, {.text = text});
}

class Parts {
 public:
  Parts(S3Client& client, const std::string& path, const PosixFile& file, int64_t size)
      : client_(client), path_(path), file_(file), size_(size) {}

  protocol::Status Send() {
    PARLEY_TRY(begun, Post(client_, path_, {{"uploads", ""}}, ""));
    const auto id = XmlText(begun.body, "UploadId");
    if (!id || id->empty()) return Strange("CreateMultipartUpload");
    id_ = *id;
    protocol::Status sent = SendAll();
    if (sent.ok()) sent = Complete();
    if (!sent.ok()) Abort();
    return sent;
  }

 private:
  protocol::Status SendAll() {
    const int64_t part = std::max(kS3PartBytes, (size_ + kPartsMax - 1) / kPartsMax);
    list_ = "<CompleteMultipartUpload>";
    for (int64_t at = 0, number = 1; at < size_; at += part, ++number) {
      S3Request request;
      request.path = path_;
      request.query = {{"partNumber", std::to_string(number)}, {"uploadId", id_}};
      PARLEY_TRY(etag, SendPart(client_, std::move(request), file_, at, std::min(part, size_ - at)));
      std::erase(etag, '"');
      list_ += "<Part><PartNumber>" + std::to_string(number) + "</PartNumber><ETag>&quot;" + etag +
               "&quot;</ETag></Part>";
    }
    list_ += "</CompleteMultipartUpload>";
    return protocol::Ok();
  }

  // S3 may begin its answer with 200 before it knows the result. If the answer to a first attempt was lost,
  // a second one finds no upload.
  protocol::Status Complete() {
    PARLEY_TRY(answer, Post(client_, path_, {{"uploadId", id_}}, list_));
    if (answer.status != 404 && XmlText(answer.body, "ETag")) return protocol::Ok();
    S3Request head;
    head.method = "HEAD";
    head.path = path_;
    PARLEY_TRY(found, client_.Ask(head));
    if (found.status == 200 && found.length == size_) return protocol::Ok();
    return Strange("CompleteMultipartUpload");
  }

  void Abort() {
    S3Request request;
    request.method = "DELETE";
    request.path = path_;
    request.query = {{"uploadId", id_}};
    static_cast<void>(client_.Ask(request).ok());  // otherwise a lifecycle rule of the bucket removes them
  }

  S3Client& client_;
  const std::string& path_;
  const PosixFile& file_;
  const int64_t size_;
  std::string id_, list_;
};

}  // namespace

protocol::Status UploadToS3(S3Client& client, const std::string& path, const PosixFile& file) {
  PARLEY_TRY(size, file.Size());
  if (size > kS3PartBytes) return Parts(client, path, file, size).Send();
  S3Request request;
  request.path = path;
  PARLEY_TRY(etag, SendPart(client, std::move(request), file, 0, size));
  static_cast<void>(etag);
  return protocol::Ok();
}

}  // namespace parley::features
