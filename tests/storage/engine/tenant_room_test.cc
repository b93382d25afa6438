// The space that a tenant may use is counted exactly, over all of its tables, through every kind of change.
#include <gmock/gmock.h>

#include <random>

#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

constexpr int64_t kMax = 10'000;

// A writer with a limit, and a clock that only tests advance.
class Room : public testing::TestWithParam<std::string>, private ItemAnswerSink {
 protected:
  Room() { Restart(); }

  void Restart() {
    if (writer_) {
      writer_.reset();
      committer_.reset();
      store_->Reopen();
    }
    metrics_ = std::make_unique<protocol::Metrics>();
    committer_ = std::make_unique<Committer>(store_->table());
    catalog_ = std::make_unique<Catalog>(std::vector{TableFrom({.name = "seed"})});
    EXPECT_TRUE(catalog_->Load(store_->table()).ok());
    ItemWriterSettings settings;
    settings.tenant_bytes_max = kMax;
    writer_ = std::make_unique<ItemWriter>(store_->table(), *committer_, *catalog_, clock_, settings,
                                           static_cast<ItemAnswerSink&>(*this), *metrics_);
  }

  using Decision = std::function<MaybeFault(ItemTransaction&)>;
  // Decides all in one batch; returns the last one's answer.
  std::string Do(const std::vector<Decision>& decisions) {
    std::string answer;
    for (const Decision& decide : decisions) {
      ItemJob job;
      job.decide = [&answer, decide](ItemTransaction& tx) { answer = TextOf(decide(tx)); };
      job.done = [](const Status& status) { EXPECT_TRUE(status.ok()) << status.detail; };
      EXPECT_TRUE(writer_->Submit(job));
    }
    writer_->Step();
    return answer;
  }
  Decision Write(const WriteText& write, TenantId tenant = TenantId{"acme"}) {
    return [request = write.request(), tenant](ItemTransaction& tx) {
      WriteReply reply;
      return DecideWrite(tx, tenant, request, &reply);
    };
  }
  std::string Do(const WriteText& write) { return Do({Write(write)}); }
  Decision Create(const std::string& name) {
    return [this, name](ItemTransaction& tx) {
      TableDefPtr made;
      return DecideCreateTable(tx, tenant_, *TableFrom({.name = name, .range = ""}), {}, &made);
    };
  }
  Decision Drop(const std::string& name) {
    return [this, name](ItemTransaction& tx) {
      TableDefPtr dropped;
      return DecideDeleteTable(tx, tenant_, name, &dropped);
    };
  }
  int64_t Left() {
    int64_t bytes = 0;
    Do({[&](ItemTransaction& tx) -> MaybeFault {
      EXPECT_TRUE(tx.RoomOf(tenant_, &bytes).ok());
      return {};
    }});
    return bytes;
  }
  // An item of `bytes` bytes: "pk", a key of one letter, "v" and a text.
  static WriteText Sized(const std::string& table, char key, size_t bytes) {
    return Put(table, std::string("pk: \"") + key + "\", v: \"" + std::string(bytes - 4, 'x') + "\"");
  }

  SceneClock clock_;
  TenantId tenant_{"acme"};
  std::unique_ptr<StoreUnderTest> store_ = MakeStore(GetParam());
  std::unique_ptr<protocol::Metrics> metrics_;
  std::unique_ptr<Committer> committer_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<ItemWriter> writer_;

 private:
  void OnItemAnswers(std::vector<ItemJob> done, const Status& status) override {
    for (ItemJob& job : done) job.done(status);
  }
};

INSTANTIATE_TEST_SUITE_P(Backends, Room, testing::ValuesIn(BackendNames()));

TEST_P(Room, is_used_up_to_the_last_byte_by_all_tables_together) {
  Do({Create("one")});
  Do({Create("two")});
  EXPECT_EQ(Do(Sized("one", 'a', 6000)), "ok");
  EXPECT_EQ(Do(Sized("two", 'a', 4001)), "LimitExceeded");
  EXPECT_EQ(Do(Sized("two", 'a', 4000)), "ok");
  EXPECT_EQ(Left(), 0);
  EXPECT_EQ(Do(Put("seed", R"(pk: "a", sk: "b")")), "LimitExceeded") << "the server's tables count, too";
  EXPECT_EQ(Do({Write(Put("seed", R"(pk: "a", sk: "b")"), TenantId{"other"})}), "ok") << "another tenant";
  Restart();
  EXPECT_EQ(Left(), 0);
  EXPECT_EQ(Do(Sized("two", 'b', 5)), "LimitExceeded");
}

TEST_P(Room, is_not_needed_to_make_things_smaller) {
  Do({Create("one")});
  Do(Sized("one", 'a', 9000));
  Do(Sized("one", 'b', 1000));
  EXPECT_EQ(Do(Change("one", R"(pk: "a")", "SET w = :w", R"(:w: "")")), "LimitExceeded");
  EXPECT_EQ(Do(Change("one", R"(pk: "a")", "SET v = :v", R"(:v: "shorter")")), "ok");
  EXPECT_EQ(Do(Delete("one", R"(pk: "b")")), "ok");
  EXPECT_EQ(Left(), kMax - 11);
}

TEST_P(Room, counts_all_writes_of_a_transaction) {
  Do({Create("one")});
  Do(Sized("one", 'a', 6000));
  const auto transact = [&](const std::vector<WriteText>& writes) {
    TransactWrite transaction;
    for (const WriteText& write : writes) transaction.writes.push_back(write.request());
    return Do({[&](ItemTransaction& tx) {
      TransactionReply reply;
      return DecideTransaction(tx, tenant_, transaction, &reply);
    }});
  };
  EXPECT_EQ(transact({Sized("one", 'b', 2000), Sized("one", 'c', 2001)}), "LimitExceeded");
  EXPECT_EQ(Left(), 4000);
  EXPECT_EQ(transact({Delete("one", R"(pk: "a")"), Sized("one", 'c', 10'000)}), "ok");
  EXPECT_EQ(transact({Check("one", R"(pk: "c")", "attribute_exists(v)"), Sized("one", 'd', 5)}),
            "LimitExceeded")
      << "what is only checked goes nowhere";
  EXPECT_EQ(Left(), 0);
}

TEST_P(Room, is_free_again_with_the_answer_that_a_table_is_dropped) {
  Do({Create("one")});
  Do(Sized("one", 'a', 10'000));
  EXPECT_EQ(Do({Drop("one")}), "ok");
  EXPECT_EQ(Left(), kMax);
  // Within one batch, with and without an earlier sum.
  for (int i = 0; i < 2; ++i) {
    Do({Create("one")});
    Do(Sized("one", 'a', 9000));
    if (i == 1) Restart();
    EXPECT_EQ(Do({Drop("one"), Create("one"), Write(Sized("one", 'a', 10'000))}), "ok");
    EXPECT_EQ(Left(), 0);
    EXPECT_EQ(Do({Drop("one")}), "ok");
  }
  while (writer_->Step()) {
  }
  EXPECT_EQ(Left(), kMax) << "erased rows free nothing a second time";
}

TEST_P(Room, is_free_again_when_items_have_expired_and_are_removed) {
  const std::string soon = std::to_string(clock_.now_ms / 1000 + 10);
  EXPECT_EQ(Do(Put("seed", "pk: \"a\", sk: \"b\", ttl: " + soon)), "ok");
  const int64_t before = Left();
  EXPECT_LT(before, kMax);
  clock_.Advance(20'000);
  EXPECT_EQ(Left(), before) << "hidden, but there";
  while (writer_->Step()) {
  }
  EXPECT_EQ(Left(), kMax);
}

TEST_P(Room, is_exact_after_anything) {
  constexpr unsigned kSeed = 20251122;
  std::mt19937 random(kSeed);
  std::map<std::string, std::map<char, size_t>> model;
  const auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  for (int step = 0; step < 400; ++step) {
    const std::string table = pick(2) ? "one" : "two";
    const auto known = model.find(table);
    const char key = static_cast<char>('a' + pick(6));
    size_t used = 0;
    for (const auto& [name, items] : model) {
      for (const auto& [item, bytes] : items) used += bytes;
    }
    ASSERT_EQ(Left(), kMax - static_cast<int64_t>(used)) << "step " << step << " of seed " << kSeed;
    if (known == model.end()) {
      ASSERT_EQ(Do({Create(table)}), "ok");
      model[table];
    } else if (const size_t what = pick(20); what == 0) {
      ASSERT_EQ(Do({Drop(table)}), "ok");
      model.erase(table);
    } else if (what == 1) {
      Restart();
    } else if (what < 6) {
      ASSERT_EQ(Do(Delete(table, std::string("pk: \"") + key + '"')), "ok");
      known->second.erase(key);
    } else {
      const size_t bytes = 10 + pick(3000), had = known->second.contains(key) ? known->second[key] : 0;
      const bool fits = used - had + bytes <= kMax || bytes <= had;
      ASSERT_EQ(Do(Sized(table, key, bytes)), fits ? "ok" : "LimitExceeded") << "step " << step;
      if (fits) known->second[key] = bytes;
    }
  }
}

}  // namespace
}  // namespace parley::storage
