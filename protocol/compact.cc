#include "protocol/compact.h"

#include "protocol/frame.h"
#include "protocol/msgpack_scan.h"
#include "protocol/writer.h"

namespace parley::protocol {
namespace {

// The frame's values that its item may repeat, encoded.
struct Said {
  std::string thread, seq;
};

// A map whose size is known once its members are written.
class OpenMap {
 public:
  explicit OpenMap(std::string* out) : out_(*out), at_(out->size()) { out_ += '\x80'; }
  void Close(size_t members) {
    if (members < 16) {
      out_[at_] = static_cast<char>(0x80 | members);
      return;
    }
    Writer head;
    head.BeginMap(members);
    out_.replace(at_, 1, head.bytes());
  }

 private:
  std::string& out_;
  const size_t at_;
};

// Copies one value without the fields that may be left out.
class Compactor {
 public:
  Compactor(std::string_view bytes, std::string* out) : in_(bytes), out_(*out) { out_.reserve(bytes.size()); }

  // Only for the item itself, if a frame surrounds it.
  void set_said(const Said* said) { said_ = said; }
  // The encoded createdAt of the item itself; empty if it has none.
  std::string_view created_at() const { return created_at_; }

  bool Run(const CompactShape& shape) {
    CopyValue(shape, said_ != nullptr);
    return !in_.failed() && in_.at_end();
  }

 private:
  void CopyValue(const CompactShape& shape, bool outermost = false) {
    if (const auto members = in_.BeginMap()) return CopyMap(shape, *members, outermost);
    const size_t from = in_.at();
    const auto items = in_.BeginArray();
    if (!items) return Append(in_.Skip());  // such as null
    Append(in_.Since(from));
    for (size_t i = 0; i < *items && !in_.failed(); ++i) CopyValue(shape);
  }

  void CopyMap(const CompactShape& shape, size_t members, bool outermost) {
    OpenMap map(&out_);
    size_t kept = 0, next = 0;
    const CompactShape* of_kind = nullptr;
    for (size_t i = 0; i < members && !in_.failed(); ++i) {
      const size_t from = in_.at();
      const std::string_view name = in_.Text();
      const std::string_view key = in_.Since(from);
      const CompactField* field = Find(shape, name, &next);
      if (shape.is_change && name == "kind") of_kind = ShapeNamed(in_.PeekText());
      const CompactShape* within = shape.is_change && name == "item" ? of_kind
                                   : field                           ? field->within
                                                                     : nullptr;
      if (outermost ? PassesOver(name, field) : IsDefault(field)) {
        in_.Skip();
      } else {
        kept += CopyMember(key, field, within);
      }
    }
    map.Close(kept);
  }

  // Returns false if all its fields were left out, so that it is left out, too.
  bool CopyMember(std::string_view key, const CompactField* field, const CompactShape* within) {
    const size_t before = out_.size();
    Append(key);
    const size_t value = out_.size();
    if (!within) {
      Append(in_.Skip());
      return true;
    }
    CopyValue(*within);
    if (!field || field->standard != Default::kEmptyMap || std::string_view(out_).substr(value) != "\x80")
      return true;
    out_.resize(before);
    return false;
  }

  // For fields that the frame may repeat, a missing value always means the frame's, never a default.
  bool PassesOver(std::string_view name, const CompactField* field) {
    if (name == "threadId") return in_.PeekValue() == said_->thread;
    if (name == "seq") return in_.PeekValue() == said_->seq;
    if (name == "createdAt") created_at_ = in_.PeekValue();
    return IsDefault(field);
  }

  // Each of the defaults except a name is a single byte.
  bool IsDefault(const CompactField* field) {
    switch (field ? field->standard : Default::kNone) {
      case Default::kNone:
      case Default::kEmptyMap:  // decided after it was copied
        return false;
      case Default::kNull:
        return in_.PeekByte() == '\xc0';
      case Default::kEmptyList:
        return in_.PeekByte() == '\x90';
      case Default::kFalse:
        return in_.PeekByte() == '\xc2';
      case Default::kZero:
        return in_.PeekByte() == '\0';
      case Default::kUsualName:
        return in_.PeekText() == field->usual;
    }
    return false;
  }

  // Fields come in the order of their description, with gaps.
  static const CompactField* Find(const CompactShape& shape, std::string_view name, size_t* next) {
    const size_t count = shape.fields.size();
    for (size_t i = 0; i < count; ++i) {
      const size_t at = (*next + i) % count;
      if (shape.fields[at].name != name) continue;
      *next = at + 1;
      return &shape.fields[at];
    }
    return nullptr;
  }

  static const CompactShape* ShapeNamed(std::string_view kind) {
    const auto known = EnumFromName<ChangeKind>(kind);
    return known ? &ShapeOf(*known) : nullptr;
  }

  void Append(std::string_view bytes) { out_ += bytes; }

  MsgpackScan in_;
  std::string& out_;
  const Said* said_ = nullptr;
  std::string_view created_at_;
};

}  // namespace

std::string Compact(const CompactShape& shape, std::string_view item) {
  std::string out;
  return Compactor(item, &out).Run(shape) ? out : std::string(item);
}

std::string CompactSharedEvent(EventKind kind, const ThreadId& thread, int64_t seq, Time at,
                               std::string_view item) {
  const Said said{Encode(thread), Encode(seq)};
  const std::string when = Encode(at);
  std::string shown;
  Compactor compactor(item, &shown);
  compactor.set_said(&said);
  if (!compactor.Run(ShapeOf(*Describe(kind).item))) return SharedEvent(kind, thread, seq, at, item);
  const bool dated = kind == EventKind::kMessageCreated && compactor.created_at() == when;
  Writer w;
  w.BeginMap(dated ? 4 : 5);
  w.Text("ev");
  w.Text(NameOf(kind));
  w.Text("threadId");
  w.Raw(said.thread);
  w.Text("seq");
  w.Raw(said.seq);
  if (!dated) {
    w.Text("at");
    w.Raw(when);
  }
  w.Text("item");
  w.Raw(shown);
  return w.Take();
}

std::string CompactInboxUpdatedEvent(std::string_view entry) {
  return InboxUpdatedEvent(Compact(EntryShape(), entry));
}

}  // namespace parley::protocol
