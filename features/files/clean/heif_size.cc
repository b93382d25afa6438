#include "features/files/clean/heif_size.h"

#include <algorithm>
#include <vector>

namespace parley::features::clean {
namespace {

using protocol::Ok;
using protocol::Result;
using protocol::Status;

struct HeifSize {
  int64_t w = 0, h = 0;
  bool is_turned = false;
};

Result<std::optional<Box>> FindIn(Input& in, const std::optional<Box>& parent, int64_t head,
                                  const char* type) {
  if (!parent || parent->body_size() < head) return std::optional<Box>();
  return FindBox(in, parent->body + head, parent->end, FourCc(type));
}

// pitm: u8 version, u24 flags, id of the primary item.
Result<uint32_t> PrimaryOf(Input& in, const Box& pitm) {
  if (pitm.body_size() < 6) return CannotBeCleaned();
  PARLEY_TRY(head, in.Bytes(pitm.body, 6));
  if (Byte(head) == 0) return uint32_t{Big16(head, 4)};
  return in.Big32At(pitm.body + 4);
}

// ipma: u8 version, u24 flags, u32 count, for each item: id, u8 count, and numbers of properties, from 1 on.
Result<std::vector<uint32_t>> PropertiesOf(Input& in, const Box& ipma, uint32_t item) {
  PARLEY_TRY(flags, in.Big32At(ipma.body));
  PARLEY_TRY(count, in.Big32At(ipma.body + 4));
  const size_t id_size = flags >> 24 == 0 ? 2 : 4, number_size = flags & 1 ? 2 : 1;
  int64_t at = ipma.body + 8;
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < count && at < ipma.end; ++i) {
    PARLEY_TRY(head, in.Bytes(at, id_size + 1));
    const uint32_t id = id_size == 2 ? Big16(head) : Big32(head);
    const size_t numbers = Byte(head, id_size);
    at += static_cast<int64_t>(id_size) + 1;
    if (id == item) {
      PARLEY_TRY(bytes, in.Bytes(at, numbers * number_size));
      for (size_t n = 0; n < numbers; ++n)
        out.push_back(number_size == 1 ? Byte(bytes, n) & 0x7f : Big16(bytes, 2 * n) & 0x7fff);
      break;
    }
    at += static_cast<int64_t>(numbers * number_size);
  }
  return out;
}

Status ApplyProperty(Input& in, const Box& property, HeifSize* size) {
  if (property.type == FourCc("ispe") && property.body_size() >= 12) {
    PARLEY_TRY(sides, in.Bytes(property.body, 12));
    size->w = Big32(sides, 4);
    size->h = Big32(sides, 8);
  }
  if (property.type == FourCc("irot") && property.body_size() >= 1) {
    PARLEY_TRY(quarters, in.Bytes(property.body, 1));
    size->is_turned = (Byte(quarters) & 1) != 0;
  }
  return Ok();
}

Result<HeifSize> SizeOf(Input& in, const Box& meta) {
  PARLEY_TRY(pitm, FindIn(in, meta, 4, "pitm"));
  PARLEY_TRY(iprp, FindIn(in, meta, 4, "iprp"));
  PARLEY_TRY(ipco, FindIn(in, iprp, 0, "ipco"));
  PARLEY_TRY(ipma, FindIn(in, iprp, 0, "ipma"));
  if (!pitm || !ipco || !ipma) return HeifSize{};
  PARLEY_TRY(item, PrimaryOf(in, *pitm));
  PARLEY_TRY(wanted, PropertiesOf(in, *ipma, item));
  HeifSize out;
  uint32_t number = 1;
  for (int64_t at = ipco->body; at < ipco->end; ++number) {
    PARLEY_TRY(property, BoxAt(in, at, ipco->end));
    at = property.end;
    if (std::find(wanted.begin(), wanted.end(), number) != wanted.end())
      PARLEY_CHECK_OK(ApplyProperty(in, property, &out));
  }
  return out;
}

}  // namespace

void ReadHeifSize(Input& in, const Box& meta, int64_t* w, int64_t* h) {
  const auto size = SizeOf(in, meta);
  if (!size.ok()) return;
  *w = size->is_turned ? size->h : size->w;
  *h = size->is_turned ? size->w : size->h;
}

}  // namespace parley::features::clean
