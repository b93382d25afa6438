// Thousands of random writes and reads, each compared with a model that is only a map, with restarts in
// between and verification after each.
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

using testing::IsEmpty;

using Key = std::pair<std::string, std::string>;
// The model of an item. Attributes: city S, age N, n N, mail S (unique), ttl N.
struct ModelItem {
  std::optional<std::string> city, mail;
  std::optional<int64_t> age, n, ttl;
};

std::string Quote(const std::string& text) {
  return '"' + text + '"';
}

std::string TextOf(const Key& key, const ModelItem& item) {
  std::string out;
  const auto add = [&](const char* name, const std::string& value) {
    out += (out.empty() ? "" : ", ") + std::string(name) + ": " + value;
  };
  if (item.age) add("age", std::to_string(*item.age));
  if (item.city) add("city", Quote(*item.city));
  if (item.mail) add("mail", Quote(*item.mail));
  if (item.n) add("n", std::to_string(*item.n));
  add("pk", Quote(key.first));
  add("sk", Quote(key.second));
  if (item.ttl) add("ttl", std::to_string(*item.ttl));
  return out;
}

class Model {
 public:
  explicit Model(const SceneClock& clock) : clock_(clock) {}

  const ModelItem* Find(const Key& key) const {
    const auto found = items_.find(key);
    return found == items_.end() || IsGone(found->second) ? nullptr : &found->second;
  }
  bool IsTaken(const Key& key, const ModelItem& item) const {
    if (!item.mail) return false;
    for (const auto& [other, its] : items_) {
      if (other != key && !IsGone(its) && its.mail == item.mail) return true;
    }
    return false;
  }
  void Set(const Key& key, ModelItem item) { items_[key] = std::move(item); }
  void Erase(const Key& key) { items_.erase(key); }

  // All items that `wanted` accepts, in order of `place`.
  template <class Wanted, class Place>
  std::vector<std::string> List(Wanted wanted, Place place) const {
    std::vector<std::pair<decltype(place(Key(), ModelItem())), std::string>> found;
    for (const auto& [key, item] : items_) {
      if (!IsGone(item) && wanted(key, item)) found.emplace_back(place(key, item), TextOf(key, item));
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> texts;
    for (auto& [at, text] : found) texts.push_back(std::move(text));
    return texts;
  }

 private:
  bool IsGone(const ModelItem& item) const { return item.ttl && *item.ttl * 1000 <= clock_.now_ms; }
  const SceneClock& clock_;
  std::map<Key, ModelItem> items_;
};

class Differential {
 public:
  Differential(const std::string& backend, uint32_t seed)
      : chance_(seed),
        scene_(backend, {TableFrom({.indexes = {"by-city: city S, age N", "by-n: pk S, n N",
                                                "by-both: city S + pk S, age N + n N"},
                                    .unique = {"mail"}})}),
        model_(scene_.clock) {}

  void Run(int steps, int steps_of_a_process) {
    for (int i = 1; i <= steps && !testing::Test::HasFailure(); ++i) {
      Step();
      if (i % steps_of_a_process != 0) continue;
      scene_.Restart();
      EXPECT_THAT(scene_.Check(), IsEmpty()) << "after step " << i;
    }
  }

 private:
  int Below(int bound) { return static_cast<int>(chance_() % static_cast<uint32_t>(bound)); }
  bool Maybe(int of) { return Below(of) == 0; }
  Key AnyKey() { return {"p" + std::to_string(Below(3)), "s" + std::to_string(Below(9))}; }

  void Step() {
    switch (Below(10)) {
      case 0:
        return Tick();
      case 1:
      case 2:
      case 3:
        return Write();
      case 4:
        return WriteTogether();
      case 5:
        return ReadTable();
      case 6:
        return ReadCity();
      case 7:
        return Maybe(2) ? ReadLocal() : ReadBoth();
      case 8:
        return ScanAll();
      default:
        return Get();
    }
  }

  void Tick() {
    scene_.clock.Advance(Below(3000));
    if (Maybe(2)) scene_.StepUntilIdle(1);
  }

  ModelItem AnyItem() {
    ModelItem item;
    if (!Maybe(3)) item.city = "c" + std::to_string(Below(2));
    if (!Maybe(3)) item.age = Below(12) - 2;
    if (!Maybe(3)) item.n = Below(4);
    if (Maybe(3)) item.mail = "m" + std::to_string(Below(5));
    if (Maybe(4)) item.ttl = scene_.clock.now_ms / 1000 + Below(9);
    return item;
  }

  // A write for the engine and the same write on the model, which returns the expected outcome.
  struct Planned {
    WriteText write;
    std::string expected;
  };

  Planned Plan() {
    const Key key = AnyKey();
    const std::string key_text = "pk: " + Quote(key.first) + ", sk: " + Quote(key.second);
    const ModelItem* found = model_.Find(key);
    std::optional<ModelItem> after;
    WriteText write = Delete("T", key_text);
    switch (Below(6)) {
      case 0:
        break;
      case 1:
      case 2:
        after = AnyItem();
        write = Put("T", TextOf(key, *after));
        break;
      case 3: {
        const int by = Below(3);
        after = found ? *found : ModelItem();
        after->n = after->n.value_or(0) + by;
        write = Change("T", key_text, "ADD n :by", ":by: " + std::to_string(by));
        break;
      }
      case 4:
        after = found ? *found : ModelItem();
        after->city.reset();
        after->age = 5;
        write = Change("T", key_text, "REMOVE city SET age = :five", ":five: 5");
        break;
      default:
        after = found ? *found : ModelItem();
        after->mail = "m" + std::to_string(Below(5));
        write = Change("T", key_text, "SET mail = :m", ":m: " + Quote(*after->mail));
    }
    if (!Holds(found, &write)) return {std::move(write), "ConditionFailed"};
    if (after && model_.IsTaken(key, *after)) return {std::move(write), "NotUnique"};
    if (after) {
      model_.Set(key, *after);
    } else {
      model_.Erase(key);
    }
    return {std::move(write), "ok"};
  }

  bool Holds(const ModelItem* item, WriteText* write) {
    const int limit = Below(4);
    const std::string value = ":limit: " + std::to_string(limit);
    switch (Below(6)) {
      case 0:
        write->If("attribute_not_exists(pk)");
        return !item;
      case 1:
        write->If("attribute_exists(city) OR n < :limit", value);
        return item && (item->city || (item->n && *item->n < limit));
      case 2:
        write->If("NOT n = :limit", value);
        return !item || item->n != limit;
      default:
        return true;
    }
  }

  void Write() {
    const Planned planned = Plan();
    EXPECT_EQ(scene_.Do(planned.write), planned.expected) << planned.write.request().item.size();
  }

  void WriteTogether() {
    std::vector<WriteText> writes;
    std::vector<std::string> expected;
    for (int i = 0; i < 5; ++i) {
      Planned planned = Plan();
      writes.push_back(std::move(planned.write));
      expected.push_back(std::move(planned.expected));
    }
    EXPECT_EQ(scene_.DoTogether(writes), expected);
  }

  void Get() {
    const Key key = AnyKey();
    const ModelItem* item = model_.Find(key);
    EXPECT_EQ(scene_.Get("T", "pk: " + Quote(key.first) + ", sk: " + Quote(key.second)),
              item ? TextOf(key, *item) : "-");
  }

  // Reads in pages of a random size, forward or backwards, with or without a filter.
  void Compare(PageText ask, std::vector<std::string> expected) {
    ask.limit = static_cast<size_t>(Below(6));
    ask.forward = Maybe(2);
    if (!ask.forward) std::reverse(expected.begin(), expected.end());
    if (Maybe(3)) {
      ask.filter = "attribute_exists(mail)";
      std::erase_if(expected, [](const std::string& text) { return text.find("mail") == std::string::npos; });
    }
    EXPECT_EQ(scene_.ReadAll(ask), expected) << ask.index << " " << ask.key << " by " << ask.limit;
  }

  void ReadTable() {
    const std::string pk = AnyKey().first, from = AnyKey().second;
    Compare(
        {.key = "pk = :p AND sk >= :s", .values = ":p: " + Quote(pk) + ", :s: " + Quote(from)},
        model_.List([&](const Key& key, const ModelItem&) { return key.first == pk && key.second >= from; },
                    [](const Key& key, const ModelItem&) { return key; }));
  }

  void ReadCity() {
    const std::string city = "c" + std::to_string(Below(2));
    const int low = Below(12) - 2, high = low + Below(5);
    Compare(
        {.index = "by-city",
         .key = "city = :c AND age BETWEEN :l AND :h",
         .values = ":c: " + Quote(city) + ", :l: " + std::to_string(low) + ", :h: " + std::to_string(high)},
        model_.List(
            [&](const Key&, const ModelItem& item) {
              return item.city == city && item.age && *item.age >= low && *item.age <= high;
            },
            [](const Key& key, const ModelItem& item) { return std::pair(*item.age, key); }));
  }

  void ReadLocal() {
    const std::string pk = AnyKey().first;
    const int below = Below(5);
    Compare({.index = "by-n",
             .key = "pk = :p AND n < :n",
             .values = ":p: " + Quote(pk) + ", :n: " + std::to_string(below)},
            model_.List([&](const Key& key,
                            const ModelItem& item) { return key.first == pk && item.n && *item.n < below; },
                        [](const Key& key, const ModelItem& item) { return std::pair(*item.n, key); }));
  }

  // Reads by a key of several attributes.
  void ReadBoth() {
    const std::string pk = AnyKey().first, city = "c" + std::to_string(Below(2));
    const int age = Below(12) - 2, from = Below(4);
    const bool exactly = Maybe(2);
    std::string values = ":c: " + Quote(city) + ", :p: " + Quote(pk) + ", :a: " + std::to_string(age);
    if (exactly) values += ", :n: " + std::to_string(from);
    Compare({.index = "by-both",
             .key = std::string("city = :c AND pk = :p AND age ") + (exactly ? "= :a AND n >= :n" : ">= :a"),
             .values = values},
            model_.List(
                [&](const Key& key, const ModelItem& item) {
                  if (key.first != pk || item.city != city || !item.age || !item.n) return false;
                  return exactly ? *item.age == age && *item.n >= from : *item.age >= age;
                },
                [](const Key& key, const ModelItem& item) { return std::tuple(*item.age, *item.n, key); }));
  }

  void ScanAll() {
    const uint32_t segments = 1 + static_cast<uint32_t>(Below(3));
    std::vector<std::string> found;
    for (uint32_t segment = 0; segment < segments; ++segment) {
      const auto part =
          scene_.ReadAll({.limit = static_cast<size_t>(Below(5)), .segment = segment, .segments = segments});
      found.insert(found.end(), part.begin(), part.end());
    }
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(
                           model_.List([](const Key&, const ModelItem&) { return true; },
                                       [](const Key& key, const ModelItem&) { return key; })));
  }

  std::mt19937 chance_;
  ItemScene scene_;
  Model model_;
};

class ItemDifferentialTest : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, ItemDifferentialTest, testing::Range(1u, 9u));

TEST_P(ItemDifferentialTest, memory_does_as_the_model) {
  Differential("memory", GetParam()).Run(3000, 100);
}

TEST(ItemDifferential, rocksdb_does_as_the_model) {
  Differential("rocksdb", 99).Run(1500, 300);
}

}  // namespace
}  // namespace parley::storage
