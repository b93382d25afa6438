#include "features/files/clean/heif_items.h"

#include <algorithm>

#include "features/files/clean/heif_size.h"

namespace parley::features::clean {
namespace {

using protocol::Ok;
using protocol::Result;
using protocol::Status;

constexpr size_t kMetadataItemsMax = 4096, kExtentsMax = 16384;  // a picture of 100 M pixels has 400 tiles
constexpr int64_t kFullBoxHead = 4;                              // version and flags

// The next number of a table.
class Cursor {
 public:
  Cursor(Input& in, int64_t at, int64_t end) : in_(in), at_(at), end_(end) {}
  int64_t at() const { return at_; }
  // `size`: 0 to 8 bytes; without any, the number is 0.
  Result<uint64_t> Number(int size) {
    if (size > end_ - at_) return CannotBeCleaned();
    uint64_t out = 0;
    if (size == 0) return out;
    PARLEY_TRY(bytes, in_.Bytes(at_, static_cast<size_t>(size)));
    for (const char byte : bytes) out = out << 8 | static_cast<uint8_t>(byte);
    at_ += size;
    return out;
  }

 private:
  Input& in_;
  int64_t at_;
  const int64_t end_;
};

class HeifReader {
 public:
  HeifReader(Input& in, const Box& meta) : in_(in), meta_(meta) {}

  Result<HeifItems> Read() {
    const int64_t first = meta_.body + kFullBoxHead;
    PARLEY_TRY(names, FindBox(in_, first, meta_.end, FourCc("iinf")));
    PARLEY_TRY(places, FindBox(in_, first, meta_.end, FourCc("iloc")));
    PARLEY_TRY(data, FindBox(in_, first, meta_.end, FourCc("idat")));
    if (!names || !places) return CannotBeCleaned();
    for (const auto& [box, type] :
         {std::pair(names, "iinf"), std::pair(places, "iloc"), std::pair(data, "idat")}) {
      if (!box) continue;
      PARLEY_TRY(second, FindBox(in_, box->end, meta_.end, FourCc(type)));
      if (second) return CannotBeCleaned();
    }
    data_ = data;
    PARLEY_CHECK_OK(ReadNames(*names));
    PARLEY_CHECK_OK(ReadPlaces(*places));
    PARLEY_CHECK_OK(SortAndCompare());
    HeifItems out{std::move(metadata_)};
    ReadHeifSize(in_, meta_, &out.w, &out.h);
    return out;
  }

 private:
  // iinf: u8 version, u24 flags, count, and an infe for each item.
  Status ReadNames(const Box& names) {
    Cursor head(in_, names.body, names.end);
    PARLEY_TRY(version, head.Number(4));
    PARLEY_TRY(count, head.Number(version >> 24 == 0 ? 2 : 4));
    int64_t at = head.at();
    for (uint64_t i = 0; i < count; ++i) {
      PARLEY_TRY(entry, BoxAt(in_, at, names.end));
      at = entry.end;
      if (entry.type != FourCc("infe")) return CannotBeCleaned();
      PARLEY_CHECK_OK(ReadName(entry));
    }
    std::sort(ids_.begin(), ids_.end());
    return at == names.end ? Ok() : Status(CannotBeCleaned());
  }

  // infe: u8 version, u24 flags, id, u16 protection, type; for "mime", a name and the media type.
  Status ReadName(const Box& entry) {
    Cursor fields(in_, entry.body, entry.end);
    PARLEY_TRY(version, fields.Number(4));
    if (version >> 24 != 2 && version >> 24 != 3) return CannotBeCleaned();
    PARLEY_TRY(id, fields.Number(version >> 24 == 2 ? 2 : 4));
    PARLEY_TRY(protection, fields.Number(2));
    static_cast<void>(protection);
    PARLEY_TRY(type, fields.Number(4));
    PARLEY_TRY(is_metadata, IsMetadata(static_cast<uint32_t>(type), fields.at(), entry.end));
    if (!is_metadata) return Ok();
    if (ids_.size() == kMetadataItemsMax) return CannotBeCleaned();
    ids_.push_back(static_cast<uint32_t>(id));
    return Ok();
  }

  // A "mime" item is a picture if its media type begins with "image/".
  Result<bool> IsMetadata(uint32_t type, int64_t at, int64_t end) {
    if (type == FourCc("Exif") || type == FourCc("uri ")) return true;
    if (type != FourCc("mime")) return false;
    PARLEY_TRY(text, in_.Bytes(at, static_cast<size_t>(std::min<int64_t>(end - at, 1024))));
    const size_t name = text.find('\0');
    return name == std::string_view::npos || !text.substr(name + 1).starts_with("image/");
  }

  // iloc: u8 version, u24 flags, u4 sizes of offset, length, base and index, count, items.
  Status ReadPlaces(const Box& places) {
    Cursor fields(in_, places.body, places.end);
    PARLEY_TRY(head, fields.Number(4));
    version_ = static_cast<int>(head >> 24);
    if (version_ > 2) return CannotBeCleaned();
    PARLEY_TRY(sizes, fields.Number(2));
    offset_size_ = static_cast<int>(sizes >> 12);
    length_size_ = static_cast<int>(sizes >> 8 & 15);
    base_size_ = static_cast<int>(sizes >> 4 & 15);
    index_size_ = version_ == 0 ? 0 : static_cast<int>(sizes & 15);
    for (const int size : {offset_size_, length_size_, base_size_, index_size_})
      if (size > 8 || size % 4 != 0) return CannotBeCleaned();
    PARLEY_TRY(count, fields.Number(version_ < 2 ? 2 : 4));
    for (uint64_t i = 0; i < count; ++i) PARLEY_CHECK_OK(ReadPlace(&fields));
    return Ok();
  }

  // An item: id, from version 1 on u16 method, u16 data reference, base, u16 count, and for each extent
  // index, offset and length.
  Status ReadPlace(Cursor* fields) {
    PARLEY_TRY(id, fields->Number(version_ < 2 ? 2 : 4));
    PARLEY_TRY(method, fields->Number(version_ == 0 ? 0 : 2));
    PARLEY_TRY(reference, fields->Number(2));
    PARLEY_TRY(base, fields->Number(base_size_));
    PARLEY_TRY(extents, fields->Number(2));
    const bool is_metadata = std::binary_search(ids_.begin(), ids_.end(), static_cast<uint32_t>(id));
    if (extents > kExtentsMax - extents_) return CannotBeCleaned();
    extents_ += extents;
    const bool is_here = (method & 15) <= 1 && reference == 0;
    if (is_metadata && !is_here && extents > 0) return CannotBeCleaned();
    for (uint64_t i = 0; i < extents; ++i) {
      PARLEY_TRY(index, fields->Number(index_size_));
      static_cast<void>(index);
      PARLEY_TRY(offset, fields->Number(offset_size_));
      PARLEY_TRY(length, fields->Number(length_size_));
      if (is_here) PARLEY_CHECK_OK(AddExtent(is_metadata, (method & 15) == 1, base, offset, length));
    }
    return Ok();
  }

  Status AddExtent(bool is_metadata, bool in_idat, uint64_t base, uint64_t offset, uint64_t length) {
    if (in_idat && !data_) return CannotBeCleaned();
    const int64_t begin = in_idat ? data_->body : 0;
    const auto room = static_cast<uint64_t>((in_idat ? data_->end : in_.size()) - begin);
    if (base > room || offset > room - base || length > room - base - offset) return CannotBeCleaned();
    // A length of 0 is the whole source.
    if (length == 0) return is_metadata ? Status(CannotBeCleaned()) : Ok();
    const int64_t at = begin + static_cast<int64_t>(base + offset);
    (is_metadata ? metadata_ : pictures_).push_back({at, at + static_cast<int64_t>(length)});
    return Ok();
  }

  Status SortAndCompare() {
    const auto before = [](const Range& a, const Range& b) { return a.begin < b.begin; };
    std::sort(metadata_.begin(), metadata_.end(), before);
    std::sort(pictures_.begin(), pictures_.end(), before);
    std::vector<Range> merged;
    for (const Range& range : metadata_) {
      if (merged.empty() || range.begin >= merged.back().end)
        merged.push_back(range);
      else
        merged.back().end = std::max(merged.back().end, range.end);
    }
    metadata_ = std::move(merged);
    auto metadata = metadata_.begin();
    for (const Range& picture : pictures_) {
      while (metadata != metadata_.end() && metadata->end <= picture.begin) ++metadata;
      if (metadata != metadata_.end() && metadata->begin < picture.end) return CannotBeCleaned();
    }
    return Ok();
  }

  Input& in_;
  const Box meta_;
  std::optional<Box> data_;
  std::vector<uint32_t> ids_;  // the metadata items; sorted after ReadNames
  int version_ = 0, offset_size_ = 0, length_size_ = 0, base_size_ = 0, index_size_ = 0;
  uint64_t extents_ = 0;
  std::vector<Range> metadata_, pictures_;
};

}  // namespace

Result<HeifItems> ReadHeifItems(Input& in, const Box& meta) {
  return HeifReader(in, meta).Read();
}

}  // namespace parley::features::clean
