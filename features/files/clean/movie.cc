// MP4, QuickTime, HEIC and AVIF: a tree of boxes. Tables in the tree name offsets in the file, so the file
// keeps its size: a box with metadata becomes a `free` box of zeros.
//
// Kept: the boxes that players and decoders need, from a list for each level. All others are freed, known
// (udta, meta, uuid) or not. Times in headers become 0. Tracks of timed metadata (GPS of action cameras) are
// freed, and so are the bytes of their samples and of metadata items.
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "features/files/clean/boxes.h"
#include "features/files/clean/formats.h"
#include "features/files/clean/heif_items.h"
#include "features/files/clean/movie_header.h"
#include "features/files/clean/sample_ranges.h"

namespace parley::features::clean {
namespace {

using protocol::Ok;
using protocol::Result;
using protocol::Status;

constexpr size_t kMetadataTracksMax = 16;
constexpr int64_t kMetaHead = 4;  // version and flags of a `meta` box

enum class Level : uint8_t { kTop, kMoov, kTrak, kMdia, kMinf, kLeaves, kMoof, kMeta };
// kData: has bytes of samples and items. kTimes: begins with the times of creation and change.
enum class Act : uint8_t { kKeep, kFree, kOpen, kData, kTimes, kTrack, kItems, kReject };

struct BoxRule {
  Level level;
  std::string_view type;
  Act act = Act::kKeep;
  Level opens = Level::kTop;
};
constexpr BoxRule kBoxRules[] = {
    {Level::kTop, "ftyp"},
    {Level::kTop, "styp"},
    {Level::kTop, "sidx"},
    {Level::kTop, "ssix"},
    {Level::kTop, "mfra"},
    {Level::kTop, "mdat", Act::kData},
    {Level::kTop, "meta", Act::kItems},
    {Level::kTop, "moov", Act::kOpen, Level::kMoov},
    {Level::kTop, "moof", Act::kOpen, Level::kMoof},
    {Level::kMoov, "mvhd", Act::kTimes},
    {Level::kMoov, "trak", Act::kTrack},
    {Level::kMoov, "mvex", Act::kOpen, Level::kLeaves},
    {Level::kMoov, "iods"},
    {Level::kMoov, "clip"},
    {Level::kMoov, "cmov", Act::kReject},  // compressed: all of the tree
    {Level::kTrak, "tkhd", Act::kTimes},
    {Level::kTrak, "mdia", Act::kOpen, Level::kMdia},
    {Level::kTrak, "edts"},
    {Level::kTrak, "tref"},
    {Level::kTrak, "trgr"},
    {Level::kTrak, "tapt"},
    {Level::kTrak, "clip"},
    {Level::kTrak, "matt"},
    {Level::kTrak, "load"},
    {Level::kTrak, "imap"},
    {Level::kMdia, "mdhd", Act::kTimes},
    {Level::kMdia, "hdlr"},
    {Level::kMdia, "elng"},
    {Level::kMdia, "minf", Act::kOpen, Level::kMinf},
    {Level::kMinf, "stbl", Act::kOpen, Level::kLeaves},
    {Level::kMoof, "traf", Act::kOpen, Level::kLeaves},
    {Level::kMeta, "hdlr"},
    {Level::kMeta, "pitm"},
    {Level::kMeta, "iinf"},
    {Level::kMeta, "iloc"},
    {Level::kMeta, "iref"},
    {Level::kMeta, "iprp"},
    {Level::kMeta, "dinf"},
    {Level::kMeta, "grpl"},
    {Level::kMeta, "ipro"},
    {Level::kMeta, "idat", Act::kData},
};
constexpr std::string_view kFreedEverywhere[] = {"udta", "meta", "uuid", "free", "skip", "wide"};
constexpr std::string_view kMediaHandlers[] = {"vide", "auxv", "pict", "soun", "text", "sbtl",
                                               "subt", "subp", "clcp", "tmcd", "odsm", "sdsm"};

template <size_t N>
bool HasType(const std::string_view (&types)[N], uint32_t type) {
  return std::any_of(std::begin(types), std::end(types),
                     [&](std::string_view one) { return FourCc(one) == type; });
}

BoxRule RuleFor(Level level, uint32_t type) {
  const auto* const rule = std::find_if(std::begin(kBoxRules), std::end(kBoxRules), [&](const BoxRule& one) {
    return one.level == level && FourCc(one.type) == type;
  });
  if (rule != std::end(kBoxRules)) return *rule;
  const bool has_list = level != Level::kMinf && level != Level::kLeaves && level != Level::kMoof;
  return {level, "", has_list || HasType(kFreedEverywhere, type) ? Act::kFree : Act::kKeep};
}

// The ranges of several ascending lists, merged.
class ZeroPlan {
 public:
  using Source = std::function<Result<std::optional<Range>>()>;
  void Add(Source source) { sources_.push_back({std::move(source), {}}); }
  Status Start() {
    for (auto& one : sources_) PARLEY_CHECK_OK(Advance(&one));
    return Ok();
  }
  std::optional<Range> Peek() const {
    std::optional<Range> out;
    for (const auto& one : sources_)
      if (one.head && (!out || one.head->begin < out->begin)) out = one.head;
    return out;
  }
  Status Pop() {
    const auto first = Peek();
    for (auto& one : sources_)
      if (one.head && one.head->begin == first->begin) return Advance(&one);
    return Ok();
  }

 private:
  struct Merged {
    Source next;
    std::optional<Range> head;
  };
  static Status Advance(Merged* one) {
    do {
      PARLEY_TRY(next, one->next());
      one->head = next;
    } while (one->head && one->head->begin == one->head->end);
    return Ok();
  }
  std::vector<Merged> sources_;
};

class BoxCleaner {
 public:
  BoxCleaner(Input& in, Rewriter& out) : in_(in), out_(out) {}

  Result<MediaFacts> Run() {
    PARLEY_CHECK_OK(Survey());
    PARLEY_CHECK_OK(plan_.Start());
    PARLEY_CHECK_OK(TakeLevel(Level::kTop, in_.size()));
    if (plan_.Peek()) return CannotBeCleaned();
    return facts_;
  }

 private:
  // First pass: finds the bytes of metadata items and of timed metadata, which can be anywhere in the file.
  Status Survey() {
    bool has_moov = false, has_fragments = false;
    for (int64_t at = 0; at < in_.size();) {
      PARLEY_TRY(box, BoxAt(in_, at, in_.size(), true));
      at = box.end;
      if (box.type == FourCc("moov")) PARLEY_CHECK_OK(SurveyMoov(box));
      if (box.type == FourCc("meta")) PARLEY_CHECK_OK(SurveyMeta(box));
      has_moov = has_moov || box.type == FourCc("moov");
      has_fragments = has_fragments || box.type == FourCc("moof");
    }
    if (!has_moov && !items_box_) return CannotBeCleaned();
    // The tables of fragments are not read.
    return has_fragments && metadata_tracks_ > 0 ? Status(CannotBeCleaned()) : Ok();
  }

  Status SurveyMoov(const Box& moov) {
    for (int64_t at = moov.body; at < moov.end;) {
      PARLEY_TRY(box, BoxAt(in_, at, moov.end));
      at = box.end;
      if (box.type != FourCc("trak")) continue;
      PARLEY_TRY(is_media, IsMedia(box));
      if (!is_media) PARLEY_CHECK_OK(AddTrack(box));
    }
    return Ok();
  }

  Status AddTrack(const Box& trak) {
    if (++metadata_tracks_ > kMetadataTracksMax) return CannotBeCleaned();
    PARLEY_TRY(mdia, FindBox(in_, trak.body, trak.end, FourCc("mdia")));
    PARLEY_TRY(minf, FindBox(in_, mdia->body, mdia->end, FourCc("minf")));
    if (!minf) return CannotBeCleaned();
    PARLEY_TRY(stbl, FindBox(in_, minf->body, minf->end, FourCc("stbl")));
    if (!stbl) return CannotBeCleaned();
    PARLEY_TRY(ranges, SampleRanges::Of(in_, *stbl));
    plan_.Add([ranges = std::make_shared<SampleRanges>(std::move(ranges))] { return ranges->Next(); });
    return Ok();
  }

  // A `meta` without places of items is metadata of a video.
  Status SurveyMeta(const Box& meta) {
    if (meta.body_size() < 2 * kMetaHead) return Ok();
    PARLEY_TRY(first, in_.Big32At(meta.body + kMetaHead));
    if (first == FourCc("hdlr")) return Ok();  // QuickTime's has no version and flags
    PARLEY_TRY(places, FindBox(in_, meta.body + kMetaHead, meta.end, FourCc("iloc")));
    if (!places) return Ok();
    if (items_box_) return CannotBeCleaned();
    items_box_ = meta.begin;
    PARLEY_TRY(items, ReadHeifItems(in_, meta));
    SetSize(items.w, items.h, 1, &facts_);
    plan_.Add([ranges = std::make_shared<std::vector<Range>>(std::move(items.metadata)),
               next = size_t{0}]() mutable -> Result<std::optional<Range>> {
      return next < ranges->size() ? std::optional(ranges->at(next++)) : std::optional<Range>();
    });
    return Ok();
  }

  // The handler of a track: hdlr of u32 version, u32 0, u32 type.
  Result<bool> IsMedia(const Box& trak) {
    PARLEY_TRY(mdia, FindBox(in_, trak.body, trak.end, FourCc("mdia")));
    if (!mdia) return CannotBeCleaned();
    PARLEY_TRY(hdlr, FindBox(in_, mdia->body, mdia->end, FourCc("hdlr")));
    if (!hdlr || hdlr->body_size() < 12) return CannotBeCleaned();
    PARLEY_TRY(handler, in_.Big32At(hdlr->body + 8));
    return HasType(kMediaHandlers, handler);
  }

  // Second pass. The depth of the calls is that of the levels.
  Status TakeLevel(Level level, int64_t end) {
    while (out_.at() < end) {
      PARLEY_TRY(box, BoxAt(in_, out_.at(), end, level == Level::kTop));
      PARLEY_CHECK_OK(TakeBox(level, box));
      const auto next = plan_.Peek();
      if (next && next->begin < box.end) return CannotBeCleaned();  // not in a box of data
    }
    return Ok();
  }

  Status TakeBox(Level level, const Box& box) {
    const BoxRule rule = RuleFor(level, box.type);
    switch (rule.act) {
      case Act::kKeep:
        return out_.KeepTo(box.end);
      case Act::kFree:
        return Free(box);
      case Act::kOpen:
        return Open(rule.opens, box.body, box.end);
      case Act::kData:
        return TakeData(box);
      case Act::kTimes:
        return TakeTimes(box);
      case Act::kTrack: {
        PARLEY_TRY(is_media, IsMedia(box));
        return is_media ? Open(Level::kTrak, box.body, box.end) : Free(box);
      }
      case Act::kItems:
        return items_box_ == box.begin ? Open(Level::kMeta, box.body + kMetaHead, box.end) : Free(box);
      case Act::kReject:
        break;
    }
    return CannotBeCleaned();
  }

  Status Open(Level level, int64_t body, int64_t end) {
    PARLEY_CHECK_OK(out_.KeepTo(body));
    return TakeLevel(level, end);
  }

  Status Free(const Box& box) {
    PARLEY_CHECK_OK(out_.KeepTo(box.begin + 4));
    if (box.type != FourCc("free")) PARLEY_CHECK_OK(out_.ReplaceTo(box.begin + 8, "free"));
    PARLEY_CHECK_OK(out_.KeepTo(box.body));
    return out_.ZeroTo(box.end);
  }

  Status TakeData(const Box& box) {
    PARLEY_CHECK_OK(out_.KeepTo(box.body));
    for (auto next = plan_.Peek(); next && next->begin < box.end; next = plan_.Peek()) {
      if (next->end > box.end) return CannotBeCleaned();
      PARLEY_CHECK_OK(out_.KeepTo(next->begin));
      PARLEY_CHECK_OK(out_.ZeroTo(next->end));
      PARLEY_CHECK_OK(plan_.Pop());
    }
    return out_.KeepTo(box.end);
  }

  Status TakeTimes(const Box& box) {
    PARLEY_TRY(header, ReadMovieHeader(in_, box));
    if (header.duration_ms && !facts_.duration_ms) facts_.duration_ms = header.duration_ms;
    if (!facts_.w) SetSize(header.w, header.h, 1, &facts_);
    PARLEY_CHECK_OK(out_.KeepTo(header.times.begin));
    PARLEY_CHECK_OK(out_.ZeroTo(header.times.end));
    return out_.KeepTo(box.end);
  }

  Input& in_;
  Rewriter& out_;
  ZeroPlan plan_;
  MediaFacts facts_;
  std::optional<int64_t> items_box_;
  size_t metadata_tracks_ = 0;
};

}  // namespace

Result<MediaFacts> CleanBoxes(Input& in, Rewriter& out) {
  return BoxCleaner(in, out).Run();
}

}  // namespace parley::features::clean
