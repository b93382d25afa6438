#include "threads/model/members.h"

#include <algorithm>

namespace parley::threads {

MembersPtr Members::Of(std::vector<UserId> ids) {
  auto out = std::make_shared<Members>();
  out->size_ = ids.size();
  // Fills blocks by half to leave room for new members.
  for (size_t at = 0; at < ids.size(); at += kBlockMax / 2) {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(at + kBlockMax / 2, ids.size()));
    out->blocks_.push_back(
        std::make_shared<const Block>(std::make_move_iterator(begin), std::make_move_iterator(end)));
  }
  return out;
}

size_t Members::BlockFor(const UserId& user) const {
  const auto above =
      std::upper_bound(blocks_.begin(), blocks_.end(), user,
                       [](const UserId& id, const BlockPtr& block) { return id < block->front(); });
  return above == blocks_.begin() ? 0 : static_cast<size_t>(above - blocks_.begin()) - 1;
}

bool Members::Contains(const UserId& user) const {
  if (blocks_.empty()) return false;
  const Block& block = *blocks_[BlockFor(user)];
  return std::binary_search(block.begin(), block.end(), user);
}

std::vector<UserId> Members::First(size_t count) const {
  std::vector<UserId> out;
  for (const BlockPtr& block : blocks_) {
    const size_t taken = std::min(count - out.size(), block->size());
    out.insert(out.end(), block->begin(), block->begin() + static_cast<std::ptrdiff_t>(taken));
    if (out.size() == count) break;
  }
  return out;
}

size_t Members::Weight() const {
  constexpr size_t kIdBytes = 64, kBlockBytes = 64;
  return size_ * kIdBytes + blocks_.size() * kBlockBytes;
}

MembersPtr With(const MembersPtr& list, const UserId& user) {
  if (list->blocks_.empty()) return Members::Of({user});
  if (list->Contains(user)) return list;
  auto out = std::make_shared<Members>(*list);
  ++out->size_;
  const size_t at = out->BlockFor(user);
  Members::Block block = *out->blocks_[at];
  block.insert(std::lower_bound(block.begin(), block.end(), user), user);
  if (block.size() > Members::kBlockMax) {
    const auto middle = block.begin() + static_cast<std::ptrdiff_t>(block.size() / 2);
    auto upper = std::make_shared<const Members::Block>(middle, block.end());
    block.erase(middle, block.end());
    out->blocks_.insert(out->blocks_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(upper));
  }
  out->blocks_[at] = std::make_shared<const Members::Block>(std::move(block));
  return out;
}

MembersPtr Without(const MembersPtr& list, const UserId& user) {
  if (!list->Contains(user)) return list;
  auto out = std::make_shared<Members>(*list);
  --out->size_;
  auto& blocks = out->blocks_;
  const size_t at = out->BlockFor(user);
  Members::Block block = *blocks[at];
  block.erase(std::lower_bound(block.begin(), block.end(), user));
  // Merges small neighbours; otherwise a list that shrank would consist of nearly empty blocks.
  const auto small_with = [&](size_t other) {
    return other < blocks.size() && block.size() + blocks[other]->size() <= Members::kBlockMax / 2;
  };
  const auto drop = [&](size_t which) { blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(which)); };
  if (block.empty()) {
    drop(at);
    return out;
  }
  size_t first = at;
  if (small_with(at + 1)) {
    block.insert(block.end(), blocks[at + 1]->begin(), blocks[at + 1]->end());
    drop(at + 1);
  }
  if (at > 0 && small_with(at - 1)) {
    block.insert(block.begin(), blocks[at - 1]->begin(), blocks[at - 1]->end());
    drop(at);
    first = at - 1;
  }
  blocks[first] = std::make_shared<const Members::Block>(std::move(block));
  return out;
}

// A position in a list, which advances by one member or by a block.
class MembersWalk {
 public:
  explicit MembersWalk(const Members& list) : list_(list) {}
  bool AtEnd() const { return block_ == list_.blocks_.size(); }
  const UserId& user() const { return (*list_.blocks_[block_])[at_]; }
  void Next() {
    if (++at_ == list_.blocks_[block_]->size()) NextBlock();
  }
  // Both are at the beginning of the same block.
  bool Shares(const MembersWalk& other) const {
    return at_ == 0 && other.at_ == 0 && list_.blocks_[block_] == other.list_.blocks_[other.block_];
  }
  void NextBlock() {
    ++block_;
    at_ = 0;
  }

 private:
  const Members& list_;
  size_t block_ = 0, at_ = 0;
};

void CompareMembers(const Members& before, const Members& after, const MemberVisitor& gone,
                    const MemberVisitor& came) {
  MembersWalk old(before), next(after);
  while (!old.AtEnd() && !next.AtEnd()) {
    if (old.Shares(next)) {
      old.NextBlock();
      next.NextBlock();
    } else if (old.user() < next.user()) {
      gone(old.user());
      old.Next();
    } else if (next.user() < old.user()) {
      came(next.user());
      next.Next();
    } else {
      old.Next();
      next.Next();
    }
  }
  for (; !old.AtEnd(); old.Next()) gone(old.user());
  for (; !next.AtEnd(); next.Next()) came(next.user());
}

}  // namespace parley::threads
