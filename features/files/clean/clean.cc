#include "features/files/clean/clean.h"

#include <algorithm>
#include <iterator>

#include "features/files/clean/formats.h"

namespace parley::features::clean {
namespace {

struct Format {
  std::string_view mime;
  protocol::Result<MediaFacts> (*clean)(Input& in, Rewriter& out);
};
constexpr Format kFormats[] = {
    {"image/jpeg", CleanJpeg},  {"image/png", CleanPng},    {"image/webp", CleanWebp},
    {"image/gif", CleanGif},    {"image/heic", CleanBoxes}, {"image/heif", CleanBoxes},
    {"image/avif", CleanBoxes}, {"video/mp4", CleanBoxes},  {"video/quicktime", CleanBoxes},
};

protocol::Result<Cleaned> Run(ByteReader& reader, std::string_view mime, ByteSink* sink) {
  Cleaned out;
  out.size = reader.size();
  const auto* const format = std::find_if(std::begin(kFormats), std::end(kFormats),
                                          [&](const Format& one) { return one.mime == mime; });
  if (format == std::end(kFormats)) return out;
  Input in(reader);
  Rewriter rewriter(reader, sink);
  PARLEY_TRY(facts, format->clean(in, rewriter));
  PARLEY_TRY(changed, rewriter.Finish());
  if (changed) out.kind = Cleaned::Kind::kCleaned;
  out.size = rewriter.size();
  out.facts = facts;
  return out;
}

}  // namespace

protocol::Result<Cleaned> Clean(ByteReader& in, std::string_view mime, ByteSink& out) {
  return Run(in, mime, &out);
}

protocol::Result<MediaFacts> ReadMediaFacts(ByteReader& in, std::string_view mime) {
  auto examined = Run(in, mime, nullptr);
  if (examined.ok()) return examined->facts;
  if (examined.error().code == protocol::ErrorCode::kUnsupportedType) return MediaFacts{};
  return std::move(examined.error());
}

}  // namespace parley::features::clean
