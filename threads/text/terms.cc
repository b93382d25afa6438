#include "threads/text/terms.h"

#include <algorithm>
#include <array>

namespace parley::threads::text {
namespace {

constexpr size_t kLettersMin = 3;
constexpr uint8_t kGapMax = 2;   // separators between two letters of a match
constexpr uint8_t kWildMax = 2;  // signs for any letter, in a match
constexpr uint8_t kRepeatsMax = 3;
constexpr uint16_t kWildLettersMin = 4;  // letters of a term that can match with such signs

bool IsWild(const Unit& unit) {
  return unit.mark == '*' || unit.mark == '#' || unit.mark == '_';
}

// Whether the sign may occur between the letters of a match; a comma or the end of a sentence may not.
bool IsSoft(const std::vector<Unit>& units, size_t at) {
  constexpr std::string_view kSoft = " -_*/'\"~|+()[]\1$@#=^`";
  const char mark = units[at].mark;
  if (mark == '.') return at + 1 >= units.size() || units[at + 1].mark != ' ';
  return kSoft.find(mark) != std::string_view::npos;
}

bool IsEnding(const std::vector<Unit>& units, size_t begin, size_t end) {
  constexpr std::string_view kEndings[] = {"s", "d", "ed", "er", "ing"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view one) {
    if (one.size() != end - begin) return false;
    for (size_t i = 0; i < one.size(); ++i) {
      if (!units[begin + i].reads(static_cast<char32_t>(one[i]))) return false;
    }
    return true;
  });
}

}  // namespace

Terms::Terms() : nodes_(1) {}

size_t Terms::bytes() const {
  size_t bytes = nodes_.capacity() * sizeof(Node);
  for (const Node& node : nodes_) bytes += node.edges.capacity() * sizeof(Edge);
  return bytes;
}

const uint32_t* Terms::Next(uint32_t node, char32_t letter) const {
  const std::vector<Edge>& edges = nodes_[node].edges;
  const auto found = std::lower_bound(edges.begin(), edges.end(), letter,
                                      [](const Edge& edge, char32_t wanted) { return edge.letter < wanted; });
  return found != edges.end() && found->letter == letter ? &found->node : nullptr;
}

bool Terms::Add(std::string_view term, uint32_t tag) {
  std::vector<Unit> units;
  Fold(term, &units);
  std::vector<char32_t> path;
  size_t letters = 0;
  for (const Unit& unit : units) {
    if (!unit.is_word() && unit.mark != ' ' && unit.mark != '-') return false;
    const char32_t letter = unit.is_word() ? unit.readings[0] : U' ';
    if (letter == U' ' && (path.empty() || path.back() == U' ')) continue;
    letters += letter == U' ' ? 0 : 1;
    path.push_back(letter);
  }
  if (!path.empty() && path.back() == U' ') path.pop_back();
  if (letters < kLettersMin) return false;
  uint32_t at = 0;
  for (const char32_t letter : path) {
    if (const uint32_t* next = Next(at, letter)) {
      at = *next;
      continue;
    }
    const auto made = static_cast<uint32_t>(nodes_.size());
    std::vector<Edge>& edges = nodes_[at].edges;
    edges.insert(std::upper_bound(edges.begin(), edges.end(), letter,
                                  [](char32_t one, const Edge& edge) { return one < edge.letter; }),
                 Edge{letter, made});
    Node node;
    node.letter = letter;
    node.letters = static_cast<uint16_t>(nodes_[at].letters + (letter == U' ' ? 0 : 1));
    node.one_word = nodes_[at].one_word && letter != U' ';
    nodes_.push_back(std::move(node));
    at = made;
  }
  if (!nodes_[at].tag) nodes_[at].tag = tag;
  return true;
}

// Follows all readings of the text after a beginning in parallel.
class Terms::Walk {
 public:
  Walk(const Terms& terms, const std::vector<Unit>& units, size_t begin, size_t* steps, size_t steps_max)
      : terms_(terms), units_(units), begin_(begin), steps_(steps), steps_max_(steps_max) {}

  std::optional<Find> Run() {
    now_.size = then_.size = 0;
    now_.push(State{0});
    const size_t end = std::min(units_.size(), begin_ + kSpanMax);
    for (size_t at = begin_; at < end && now_.size > 0 && *steps_ < steps_max_; ++at) {
      then_.size = 0;
      for (size_t i = 0; i < now_.size; ++i) Read(now_.items[i], at);
      std::copy_n(then_.items.begin(), then_.size, now_.items.begin());
      now_.size = then_.size;
    }
    return found_;
  }

 private:
  // Kept by the thread, since it has several kilobytes and most walks end at once.
  struct States {
    std::array<State, kStatesMax> items;
    size_t size = 0;
    bool full() const { return size == items.size(); }
    void push(const State& state) {
      for (size_t i = 0; i < size; ++i) {
        const State& one = items[i];
        if (one.node == state.node && one.wild == state.wild && one.gap == state.gap &&
            one.blank == state.blank)
          return;
      }
      if (size < items.size()) items[size++] = state;
    }
  };

  static std::array<States, 2>& Rooms() {
    thread_local std::array<States, 2> rooms;
    return rooms;
  }

  void Read(const State& state, size_t at) {
    ++*steps_;
    const Unit& unit = units_[at];
    if (unit.is_word()) return ReadLetter(state, at);
    const bool inside = at + 1 < units_.size() && (units_[at + 1].is_word() || units_[at + 1].count > 0);
    if (unit.count > 0 && (inside || at > begin_)) ReadLetter(state, at);
    if (at == begin_) return;
    if (IsWild(unit) && inside && state.wild < kWildMax && state.gap == 0 && state.node != 0) {
      for (const Edge& edge : terms_.nodes_[state.node].edges) {
        if (edge.letter == U' ') continue;
        if (then_.full()) break;
        ++*steps_;
        State next{edge.node, static_cast<uint8_t>(state.wild + 1), state.real};
        Reach(next, at);
      }
    }
    if (state.gap < kGapMax && IsSoft(units_, at)) {
      State next = state;
      ++next.gap;
      next.blank |= unit.mark == ' ' || unit.mark == Unit::kOther;
      then_.push(next);
    }
  }

  void ReadLetter(const State& state, size_t at) {
    const Unit& unit = units_[at];
    if (state.gap > 0) {
      if (const uint32_t* gap = terms_.Next(state.node, U' ')) Take(state, *gap, at);
      const bool hyphen = !state.blank && state.gap == 1;
      if (!hyphen && !(state.alone && unit.alone)) return;
    } else if (const uint32_t* gap = terms_.Next(state.node, U' ')) {
      Take(state, *gap, at);
    }
    Take(state, state.node, at);
    const bool again = state.gap == 0 && state.node != 0 && state.repeats < kRepeatsMax &&
                       unit.reads(terms_.nodes_[state.node].letter);
    if (again) {
      State next = state;
      ++next.repeats;
      Reach(next, at);
    }
  }

  // Follows the letters that the unit may be read as, from `node`.
  void Take(const State& state, uint32_t node, size_t at) {
    const Unit& unit = units_[at];
    for (uint8_t i = 0; i < unit.count; ++i) {
      const uint32_t* next = terms_.Next(node, unit.readings[i]);
      if (!next) continue;
      const bool digit = unit.readings[0] >= U'0' && unit.readings[0] <= U'9';
      const bool real = unit.is_word() && (i == 0 || !digit);
      Reach(State{*next, state.wild, static_cast<uint8_t>(state.real + (real ? 1 : 0))}, at);
    }
  }

  void Reach(State state, size_t at) {
    const Node& node = terms_.nodes_[state.node];
    state.alone = units_[at].alone;
    then_.push(state);
    if (!node.tag) return;
    const bool enough =
        state.real * 2 >= node.letters && (state.wild == 0 || node.letters >= kWildLettersMin);
    size_t end = at + 1;
    while (end < units_.size() && units_[end].is_word() && end - at <= 4) ++end;
    const bool whole = end == at + 1 || (node.one_word && IsEnding(units_, at + 1, end));
    if (enough && whole) found_ = Find{*node.tag, begin_, end};
  }

  const Terms& terms_;
  const std::vector<Unit>& units_;
  const size_t begin_;
  size_t* steps_;
  const size_t steps_max_;
  States &now_ = Rooms()[0], &then_ = Rooms()[1];
  std::optional<Find> found_;
};

std::optional<Terms::Find> Terms::FindAt(const std::vector<Unit>& units, size_t begin, size_t* steps,
                                         size_t steps_max) const {
  const Unit& first = units[begin];
  ++*steps;
  const bool none = std::none_of(first.readings, first.readings + first.count,
                                 [&](char32_t one) { return Next(0, one) != nullptr; });
  return none ? std::nullopt : Walk(*this, units, begin, steps, steps_max).Run();
}

}  // namespace parley::threads::text
