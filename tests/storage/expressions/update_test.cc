// The effect of updates: each row is an expression, and the item before and after, or the fault and no
// change.
#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

constexpr std::string_view kNames = "#n: \"n\", #new: \"new.name\"";
constexpr std::string_view kValues =
    ":1: 1, :2: 2, :5: 5, :x: \"x\", :y: \"y\", :l: [7, 8], :e: [], :m: {k: 1}, :ab: ss(\"a\", \"b\"), :c: "
    "ss(\"c\"), "
    ":ns: ns(1, 2), :bs: bs(b\"z\"), :nines: 99999999999999999999999999999999999999, :max: 9e125, :min: "
    "1e-130, "
    ":15: 1.5e-130";

struct UpdateRow {
  const char* expression;
  const char* before;
  const char* after;  // or the fault
};

constexpr const char* kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr const char* kWrongType = "An operand in the update expression has an incorrect data type";
constexpr const char* kWrongPath =
    "The document path provided in the update expression is invalid for update";

std::string After(const UpdateRow& row) {
  Placeholders given = Given(kNames, kValues);
  Update update;
  if (Fault fault = ParseUpdate(row.expression, &given, &update); !fault.empty()) return fault;
  Item item = ItemFrom(row.before);
  const Item before = item;
  const Fault fault = update.Apply(&item);
  if (!fault.empty()) {
    EXPECT_EQ(item, before) << row.expression;
  }
  return fault.empty() ? TextOfItem(item) : fault;
}

void ExpectAfter(const std::vector<UpdateRow>& rows) {
  for (const UpdateRow& row : rows)
    EXPECT_EQ(After(row), row.after) << row.expression << " on " << row.before;
}

TEST(Update, sets) {
  ExpectAfter({{"SET a = :1", "", "a: 1"},
               {"set a = :1, b = :x", "a: 9, c: 3", "a: 1, b: \"x\", c: 3"},
               {"SET #new = :x", "", "new.name: \"x\""},
               {"SET a = b", "b: {x: 1}", "a: {x: 1}, b: {x: 1}"},
               {"SET a = b, b = a", "a: 1, b: 2", "a: 2, b: 1"},
               {"SET a = b.c[1]", "b: {c: [1, 2]}", "a: 2, b: {c: [1, 2]}"},
               {"SET a.b = :x", "a: {}", "a: {b: \"x\"}"},
               {"SET a.b.c = :x", "a: {b: {c: 1, d: 2}}", "a: {b: {c: \"x\", d: 2}}"},
               {"SET a = ((b))", "b: 1", "a: 1, b: 1"},
               {"SET a = (:1)", "", "a: 1"}});
}

TEST(Update, computes) {
  ExpectAfter({{"SET n = n + :1", "n: 10", "n: 11"},
               {"SET n = n - :1", "n: 0", "n: -1"},
               {"SET n = :5 - n", "n: 2", "n: 3"},
               {"SET n = (n + :1)", "n: 10", "n: 11"},
               {"SET n = (n) + (:1)", "n: 10", "n: 11"},
               {"SET n = if_not_exists(n, :5) + :1", "", "n: 6"},
               {"SET n = if_not_exists(n, :5) + :1", "n: 1", "n: 2"},
               {"SET n = :1 + if_not_exists(n, if_not_exists(m, :5))", "m: 3", "m: 3, n: 4"},
               {"SET n = if_not_exists(a.b[0], :5)", "a: {b: [3]}", "a: {b: [3]}, n: 3"},
               {"SET n = a + b", "a: 0.1, b: 0.2", "a: 0.1, b: 0.2, n: 0.3"},
               {"SET a.b = a.b + :1", "a: {b: 10}", "a: {b: 11}"}});
}

TEST(Update, appends_lists) {
  ExpectAfter({{"SET l = list_append(l, :l)", "l: [1]", "l: [1, 7, 8]"},
               {"SET l = list_append(:l, l)", "l: [1]", "l: [7, 8, 1]"},
               {"SET l = list_append(if_not_exists(l, :e), :l)", "", "l: [7, 8]"},
               {"SET l = list_append(l, l)", "l: [1]", "l: [1, 1]"},
               {"SET l = list_append((l), (:e))", "l: [1]", "l: [1]"}});
}

TEST(Update, sets_positions_of_lists_and_appends_after_them_in_order) {
  ExpectAfter({{"SET l[1] = :x", "l: [1, 2, 3]", "l: [1, \"x\", 3]"},
               {"SET l[9] = :x", "l: [1]", "l: [1, \"x\"]"},
               {"SET l[9] = :x, l[5] = :y", "l: [1]", "l: [1, \"y\", \"x\"]"},
               {"SET l[0] = :x, l[1] = :y", "l: []", "l: [\"x\", \"y\"]"},
               {"SET l[1][0] = :x, l[0] = :y", "l: [1, [2]]", "l: [\"y\", [\"x\"]]"},
               {"SET l[0].a = :x", "l: [{}]", "l: [{a: \"x\"}]"},
               {"SET l[2147483647] = :x", "l: []", "l: [\"x\"]"}});
}

TEST(Update, removes) {
  ExpectAfter({{"REMOVE a", "a: 1, b: 2", "b: 2"},
               {"REMOVE a, b", "a: 1, b: 2", ""},
               {"REMOVE gone", "a: 1", "a: 1"},
               {"REMOVE a.b", "a: {b: 1, c: 2}", "a: {c: 2}"},
               {"REMOVE a.gone", "a: {}", "a: {}"},
               {"REMOVE l[1]", "l: [1, 2, 3]", "l: [1, 3]"},
               {"REMOVE l[0], l[2]", "l: [1, 2, 3]", "l: [2]"},
               {"REMOVE l[2], l[0], l[1]", "l: [1, 2, 3]", "l: []"},
               {"REMOVE l[7]", "l: [1, 2]", "l: [1, 2]"},
               {"REMOVE l[0], l[1][0], l[2]", "l: [1, [2, 3], 4, 5]", "l: [[3], 5]"},
               {"REMOVE l[1].a, l[0]", "l: [1, {a: 1, b: 2}]", "l: [{b: 2}]"}});
}

TEST(Update, takes_positions_as_they_were_before_all_of_it) {
  ExpectAfter({{"REMOVE l[0] SET l[1] = :x", "l: [1, 2, 3]", "l: [\"x\", 3]"},
               {"REMOVE l[0] SET l[9] = :x", "l: [1, 2]", "l: [2, \"x\"]"},
               {"SET b = l[1] REMOVE l[0]", "l: [1, 2]", "b: 2, l: [2]"},
               {"REMOVE a SET b = a", "a: 1", "b: 1"},
               {"REMOVE l[0] ADD l[1] :5", "l: [1, 2]", "l: [7]"},
               {"REMOVE l[0] DELETE l[1] :ab", "l: [1, ss(\"a\", \"z\"), 3]", "l: [ss(\"z\"), 3]"}});
}

TEST(Update, adds) {
  ExpectAfter({{"ADD n :5", "", "n: 5"},
               {"ADD n :5", "n: -7", "n: -2"},
               {"ADD a.n :5", "a: {}", "a: {n: 5}"},
               {"ADD l[4] :5", "l: [1]", "l: [1, 5]"},
               {"ADD s :ab", "", "s: ss(\"a\", \"b\")"},
               {"ADD s :ab", "s: ss(\"b\", \"c\")", "s: ss(\"a\", \"b\", \"c\")"},
               {"ADD s :ns", "s: ns(2, 3)", "s: ns(1, 2, 3)"},
               {"ADD s :bs", "s: bs(b\"a\")", "s: bs(b\"a\", b\"z\")"},
               {"ADD n :1, m :2 SET a = :x", "n: 1", "a: \"x\", m: 2, n: 2"}});
}

TEST(Update, deletes_elements_and_sets_that_become_empty) {
  ExpectAfter({{"DELETE s :ab", "s: ss(\"a\", \"b\", \"c\")", "s: ss(\"c\")"},
               {"DELETE s :c", "s: ss(\"a\")", "s: ss(\"a\")"},
               {"DELETE s :ab", "s: ss(\"a\", \"b\")", ""},
               {"DELETE s :ab", "t: 1", "t: 1"},
               {"DELETE a.s :ns", "a: {s: ns(2, 1)}", "a: {}"},
               {"DELETE l[0] :c", "l: [ss(\"c\"), 2]", "l: [2]"},
               {"DELETE s :bs", "s: bs(b\"z\", b\"y\")", "s: bs(b\"y\")"}});
}

TEST(Update, reads_the_clauses_in_any_order) {
  ExpectAfter({{"REMOVE b DELETE c :c ADD d :5 SET f = :x", "b: 1, c: ss(\"c\", \"d\"), d: 1",
                "c: ss(\"d\"), d: 6, f: \"x\""},
               {"aDd d :5 delete c :c remove b sEt f = :x", "b: 1, c: ss(\"c\", \"d\"), d: 1",
                "c: ss(\"d\"), d: 6, f: \"x\""}});
}

TEST(Update, is_refused_if_it_reads_missing_attributes) {
  ExpectAfter({{"SET a = b", "", kMissing},
               {"SET a = b.c", "b: {}", kMissing},
               {"SET a = a + :1", "", kMissing},
               {"SET a = :1 + b", "", kMissing},
               {"SET a = list_append(b, :l)", "", kMissing},
               {"SET a = list_append(:l, b)", "", kMissing},
               {"SET a = :1, b = a", "", kMissing},
               {"SET a = if_not_exists(b, c)", "", kMissing}});
}

TEST(Update, is_refused_if_types_are_wrong) {
  ExpectAfter({{"SET a = b + :1", "b: \"x\"", kWrongType},
               {"SET a = :1 - b", "b: [1]", kWrongType},
               {"SET a = list_append(b, :l)", "b: 1", kWrongType},
               {"SET a = list_append(:l, b)", "b: ss(\"a\")", kWrongType},
               {"ADD a :1", "a: \"x\"", kWrongType},
               {"ADD a :ab", "a: ns(1)", kWrongType},
               {"ADD a :ab", "a: 1", kWrongType},
               {"ADD a :1", "a: ns(1)", kWrongType},
               {"DELETE a :ab", "a: ns(1)", kWrongType},
               {"DELETE a :ab", "a: \"a\"", kWrongType},
               {"SET b = :1 ADD a :1", "a: \"x\"", kWrongType}});
}

TEST(Update, is_refused_if_a_path_leads_nowhere) {
  for (const char* clause : {"SET %s = :ab", "REMOVE %s", "ADD %s :ab", "DELETE %s :ab"}) {
    for (const char* path :
         {"gone.a", "gone[1]", "s.a", "s[0]", "mp[0]", "l.a", "mp.gone.a", "l[7].a", "l[7][0]"}) {
      char expression[64];
      std::snprintf(expression, sizeof expression, clause, path);
      ExpectAfter({{expression, "s: \"x\", mp: {}, l: [1]", kWrongPath}});
    }
  }
}

TEST(Update, is_refused_if_a_number_does_not_fit) {
  ExpectAfter(
      {{"SET a = :nines + :1", "", "a: 100000000000000000000000000000000000000"},
       {"SET a = :nines + :nines", "", "Attempting to store more than 38 significant digits in a Number"},
       {"SET a = :max + :max", "",
        "Number overflow. Attempting to store a number with magnitude larger than supported range"},
       {"ADD a :max", "a: 9e125",
        "Number overflow. Attempting to store a number with magnitude larger than supported range"}});
}

TEST(Update, is_refused_if_values_would_nest_too_deeply) {
  Item item = ItemFrom("a: {}, l: []");
  Placeholders given;
  Update nest, append;
  ASSERT_EQ(ParseUpdate("SET a.b = a", &given, &nest), "");
  ASSERT_EQ(ParseUpdate("SET l[0] = l", &given, &append), "");
  for (size_t level = 1; level < kNestingMax; ++level) {
    ASSERT_EQ(nest.Apply(&item), "") << level;
    ASSERT_EQ(append.Apply(&item), "") << level;
    ASSERT_EQ(NestingOf(*item.Find("a")), level + 1);
    ASSERT_EQ(NestingOf(*item.Find("l")), level + 1);
  }
  constexpr const char* kTooDeep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported "
      "limit";
  EXPECT_EQ(nest.Apply(&item), kTooDeep);
  EXPECT_EQ(append.Apply(&item), kTooDeep);
}

TEST(Update, is_refused_before_copies_of_a_large_value_take_memory) {
  Placeholders given;
  ASSERT_EQ(given.SetValues({{":v", std::string(300'000, 'x')}}), "");
  Update update;
  ASSERT_EQ(ParseUpdate("SET a = :v, b = :v", &given, &update), "");
  Item item;
  EXPECT_EQ(update.Apply(&item), "Item size to update has exceeded the maximum allowed size");
}

TEST(Update, returns_the_attributes_that_it_touches) {
  Placeholders given = Given("", ":v: 1");
  Update update;
  ASSERT_EQ(ParseUpdate("SET a.b = c[0] + :v REMOVE l[2], l[0], gone, gone2[1]", &given, &update), "");
  EXPECT_EQ(update.TopNames(), (std::vector<std::string>{"a", "gone", "gone2", "l"}));
  EXPECT_EQ(update.EnteredNames(), (std::vector<std::string>{"a", "c", "gone2", "l"}));
  EXPECT_EQ(TextOfItem(update.Touched(ItemFrom("a: {b: 1, c: 2}, c: [1], l: [1, 2, 3]"))),
            "a: {b: 1}, l: [1, 3]");
  EXPECT_EQ(TextOfItem(Update().Touched(ItemFrom("a: 1"))), "");
  EXPECT_TRUE(Update().empty());
}

}  // namespace
}  // namespace parley::storage
