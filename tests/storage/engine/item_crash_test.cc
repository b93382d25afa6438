// Processes die at any commit, and commits fail or end with an unknown outcome: acknowledged writes are kept,
// transactions are whole, and verification finds no difference.
#include <gmock/gmock.h>

#include <random>

#include "storage/declarations/load.h"
#include "storage/rocksdb_table.h"
#include "tests/storage/engine/item_scene.h"
#include "tests/storage/engine/watched_store.h"
#include "tests/storage/temp_dir.h"

namespace parley::storage {
namespace {

using testing::IsEmpty;

struct Died {};

constexpr char kLeft[] = R"(pk: "left", sk: "1")";
constexpr char kRight[] = R"(pk: "right", sk: "1")";
constexpr char kCounter[] = R"(pk: "counter", sk: "1")";
constexpr int kMoney = 1000;

// A client that remembers acknowledged writes, and repeats the others with their token.
class CrashRun {
 public:
  explicit CrashRun(uint32_t seed) : chance_(seed) {
    scene_.Do(Put("T", R"(pk: "left", sk: "1", n: 1000)"));
    scene_.Do(Put("U", R"(pk: "right", sk: "1", n: 0)"));
    scene_.Do(Put("T", R"(pk: "counter", sk: "1", n: 0)"));
  }

  void Run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      Arm();
      try {
        Step();
      } catch (const Died&) {
        Restart();
      }
    }
    store_->before_commit = store_->after_commit = nullptr;
    Restart();
    EXPECT_GT(restarts_, 3);
  }

 private:
  int Below(int bound) { return static_cast<int>(chance_() % static_cast<uint32_t>(bound)); }

  void Arm() {
    store_->before_commit = store_->after_commit = nullptr;
    switch (Below(12)) {
      case 0:
        store_->before_commit = [] { throw Died(); };
        return;
      case 1:
        store_->after_commit = [] { throw Died(); };
        return;
      case 2:
        store_->Inject(static_cast<MemoryFault>(1 + Below(3)));
        return;
      default:
        return;
    }
  }

  void Step() {
    switch (Below(5)) {
      case 0:
        return Move();
      case 1:
        return Count();
      case 2:
      case 3:
        return WriteItems();
      default:
        scene_.clock.Advance(Below(4000));
        scene_.StepUntilIdle(3);
        if (!scene_.writer().fault().empty()) Restart();
    }
  }

  // Repeats the last transfer until its outcome is known.
  void Move() {
    if (!moving_) {
      ++token_;
      amount_ = Below(3);
      moving_ = true;
    }
    const std::string n = ":n: " + std::to_string(amount_);
    const std::string said =
        scene_.Transact({Change("T", kLeft, "SET n = n - :n", n), Change("U", kRight, "SET n = n + :n", n)},
                        "token-" + std::to_string(token_), n);
    if (said == "Unavailable") return Restart();
    EXPECT_TRUE(said == "ok" || said == "repeated") << said;
    moving_ = false;
    moved_ += amount_;
  }

  void Count() {
    ++asked_;
    if (scene_.Do(Change("T", kCounter, "ADD n :one", ":one: 1")) == "ok") {
      ++counted_;
    } else {
      Restart();
    }
  }

  void WriteItems() {
    std::vector<WriteText> writes;
    std::vector<std::pair<std::string, std::string>> wanted;
    for (int i = 0; i <= Below(4); ++i) {
      const std::string key = "pk: \"i\", sk: \"" + std::to_string(Below(12)) + "\"";
      std::string item = key;
      if (Below(3) > 0) item = "city: \"c" + std::to_string(Below(3)) + "\", " + item;
      if (Below(2) > 0) item = "age: " + std::to_string(Below(3)) + ", " + item;
      if (Below(3) > 0) item += ", mail: \"m" + std::to_string(Below(6)) + "\"";
      if (Below(4) == 0) item += ", ttl: " + std::to_string(scene_.clock.now_ms / 1000 + Below(8));
      writes.push_back(Below(5) == 0 ? Delete("T", key) : Put("T", item));
      wanted.emplace_back(key, writes.back().request().kind == WriteRequest::Kind::kDelete
                                   ? "-"
                                   : TextOfItem(writes.back().request().item));
    }
    for (const auto& [key, item] : wanted) unsure_.insert(key);
    const std::vector<std::string> said = scene_.DoTogether(writes);
    for (const auto& [key, item] : wanted) unsure_.erase(key);
    bool failed = false;
    for (size_t i = 0; i < said.size(); ++i) {
      if (said[i] == "ok") acked_[wanted[i].first] = wanted[i].second;
      if (said[i] != "Unavailable") continue;
      failed = true;
      unsure_.insert(wanted[i].first);
    }
    if (failed) Restart();
  }

  int NumberOf(const char* table, const char* key) {
    const std::string text = scene_.Get(table, key);
    const Item item = ItemFrom(text == "-" ? "" : text);
    return item.Has("n") ? static_cast<int>(*item.Find("n")->number()->ToInt64()) : -1;
  }

  void Restart() {
    ++restarts_;
    scene_.Restart();
    EXPECT_THAT(scene_.Check(), IsEmpty());
    EXPECT_EQ(NumberOf("T", kLeft) + NumberOf("U", kRight), kMoney) << "a transaction is whole";
    const int right = NumberOf("U", kRight);
    EXPECT_TRUE(right == moved_ || (moving_ && right == moved_ + amount_)) << right << " " << moved_;
    const int counter = NumberOf("T", kCounter);
    EXPECT_GE(counter, counted_);
    EXPECT_LE(counter, asked_);
    for (const auto& [key, item] : acked_) {
      if (unsure_.contains(key)) continue;
      const std::string now = scene_.Get("T", key);
      EXPECT_TRUE(now == item || (now == "-" && item.find("ttl") != std::string::npos))
          << key << " was acknowledged as " << item << " and is " << now;
    }
    for (const std::string& key : unsure_) acked_.erase(key);
    unsure_.clear();
  }

  std::mt19937 chance_;
  WatchedStore* const store_ = new WatchedStore("memory");
  ItemScene scene_{
      std::unique_ptr<StoreUnderTest>(store_),
      {TableFrom({.indexes = {"by-city: city S, age N"}, .unique = {"mail"}}), TableFrom({.name = "U"})}};
  int restarts_ = 0, token_ = 0, amount_ = 0, moved_ = 0, asked_ = 0, counted_ = 0;
  bool moving_ = false;
  std::map<std::string, std::string> acked_;
  std::set<std::string> unsure_;
};

class ItemCrashTest : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(Seeds, ItemCrashTest, testing::Range(1u, 41u));

TEST_P(ItemCrashTest, acknowledged_writes_survive_each_crash_and_everything_agrees) {
  CrashRun(GetParam()).Run(150);
}

// Each piece of work is cut off before and after each of its commits, then finished by the next process.
class ItemWorkCrashTest : public testing::TestWithParam<bool> {
 protected:
  void Own(int items) {
    scene.Decide([&](ItemTransaction& tx) {
      TableDefPtr made;
      TableText text{.name = "Own", .ttl = "", .owner = TableDef::Owner::kTenant};
      TableDef wanted = *TableFrom(text);
      return DecideCreateTable(tx, scene.tenant, wanted, {}, &made);
    });
    for (int i = 0; i < items; ++i)
      scene.Do(Put("Own", "pk: \"" + std::to_string(i) + R"(", sk: "1", age: 1, gone: 1762351927)"));
  }
  std::string Alter(const TableUpdate& update) {
    return scene.Decide([&](ItemTransaction& tx) {
      TableDefPtr changed;
      return DecideUpdateTable(tx, scene.tenant, update, &changed);
    });
  }
  // Dies at each commit in turn, until no commit is left.
  void FinishDying() {
    for (int deaths = 0; deaths < 100; ++deaths) {
      (GetParam() ? store->after_commit : store->before_commit) = [] { throw Died(); };
      try {
        scene.clock.Advance(1000);
        while (scene.writer().Step()) {
        }
        EXPECT_GT(deaths, 2);
        return;
      } catch (const Died&) {
        scene.Restart();
        EXPECT_THAT(scene.Check(), IsEmpty());
        if (GetParam()) continue;
        scene.clock.Advance(1000);
        scene.writer().Step();  // does not die, so that the work advances
        EXPECT_THAT(scene.Check(), IsEmpty());
      }
    }
    ADD_FAILURE() << "it never ends";
  }

  WatchedStore* const store = new WatchedStore("memory");
  ItemScene scene{std::unique_ptr<StoreUnderTest>(store), {TableFrom({})}};
};
INSTANTIATE_TEST_SUITE_P(BeforeAndAfter, ItemWorkCrashTest, testing::Bool());

TEST_P(ItemWorkCrashTest, an_index_is_filled_by_processes_that_die) {
  Own(700);
  Alter({.name = "Own", .add_index = IndexFrom("by-age: age N", 0)});
  FinishDying();
  EXPECT_EQ(scene.Def("Own").FindIndex("by-age")->status, IndexStatus::kActive);
  EXPECT_EQ(scene.Read({.table = "Own", .index = "by-age"}).size(), 700u);
}

TEST_P(ItemWorkCrashTest, items_expire_although_processes_die) {
  Own(700);
  scene.clock.Advance(10'000);
  Alter({.name = "Own", .ttl_attribute = "gone"});
  FinishDying();
  EXPECT_EQ(scene.StatsOf("Own").items, 0);
  EXPECT_THAT(scene.Rows(TableTag::kItemExpiry), IsEmpty());
}

TEST_P(ItemWorkCrashTest, a_dropped_table_is_erased_although_processes_die) {
  Own(700);
  scene.Decide([&](ItemTransaction& tx) {
    TableDefPtr dropped;
    return DecideDeleteTable(tx, scene.tenant, "Own", &dropped);
  });
  FinishDying();
  EXPECT_EQ(scene.Rows(TableTag::kItems).size(), 2u)
      << "the number of the last table, and that fractions have places";
}

// A backup of the store is a copy of its directory while it is closed.
TEST(ItemBackup, a_backup_has_the_tables_as_they_were_without_later_writes) {
  const TempDir temp;
  const std::string live = temp.path() + "/live", backup = temp.path() + "/backup";
  const TableDefPtr def = TableFrom({.indexes = {"by-city: city S"}, .unique = {"mail"}});
  class DirStore final : public StoreUnderTest {
   public:
    explicit DirStore(std::string dir) : dir_(std::move(dir)) { Reopen(); }
    Table& table() override { return *table_; }
    void Reopen() override {
      table_.reset();
      table_ = std::move(std::get<0>(OpenRocksdb({.dir = dir_})));
    }

   private:
    const std::string dir_;
    std::unique_ptr<Table> table_;
  };
  const auto open = [&](const std::string& dir) {
    return std::make_unique<ItemScene>(std::make_unique<DirStore>(dir), std::vector{def});
  };
  auto scene = open(live);
  scene->Do(Put("T", R"(pk: "a", sk: "1", city: "Rome", mail: "m", ttl: 1762399999)"));
  scene->Decide([&](ItemTransaction& tx) {
    TableDefPtr made;
    return DecideCreateTable(tx, scene->tenant,
                             *TableFrom({.name = "Own", .owner = TableDef::Owner::kTenant}), {}, &made);
  });
  scene->Do(Put("Own", R"(pk: "o", sk: "1")"));
  scene.reset();
  std::filesystem::copy(live, backup, std::filesystem::copy_options::recursive);
  scene = open(live);
  scene->Do(Delete("T", R"(pk: "a", sk: "1")"));
  scene->Do(Put("T", R"(pk: "b", sk: "1", city: "Rome", mail: "m")"));
  scene.reset();
  scene = open(backup);
  EXPECT_THAT(scene->Check(), IsEmpty());
  EXPECT_EQ(scene->Read({.index = "by-city"}).size(), 1u);
  EXPECT_NE(scene->Get("T", R"(pk: "a", sk: "1")"), "-");
  EXPECT_NE(scene->Get("Own", R"(pk: "o", sk: "1")"), "-");
  EXPECT_EQ(scene->Do(Put("T", R"(pk: "b", sk: "1", mail: "m")")), "NotUnique");
}

}  // namespace
}  // namespace parley::storage
