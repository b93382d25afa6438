// The meaning of conditions: each row is an expression and whether it is true for one item.
#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

constexpr std::string_view kFruit =
    "n: 10, m: 10.0, s: \"banana\", b: b\"bcd\", yes: true, off: false, nul: null, l: [1, \"x\", [2]], "
    "mp: {ins: {deep: \"x\"}, arr: [{v: 1}, {v: 2}]}, ss: ss(\"red\", \"green\"), ns: ns(1, 5), bs: "
    "bs(b\"y\"), "
    "uml: \"äöü\", nine: 9, list: [1, 2]";
constexpr std::string_view kConditionNames = "#n: \"n\", #d: \"a.b\", #list: \"list\"";
constexpr std::string_view kConditionValues =
    ":9: 9, :10: 10, :11: 11, :20: 20, :ten: 10.00, :s10: \"10\", :banana: \"banana\", :ban: \"ban\", :nan: "
    "\"nan\", "
    ":z: \"z\", :e: \"\", :bb: b\"b\", :bcd: b\"bcd\", :cd: b\"cd\", :true: true, :null: null, :red: "
    "\"red\", "
    ":blue: \"blue\", :1: 1, :2: 2, :3: 3, :5: 5, :6: 6, :x: \"x\", :y: b\"y\", :l: [1, \"x\", [2]], :l2: "
    "[2], "
    ":ss: ss(\"green\", \"red\"), :ns: ns(5, 1), :map: {deep: \"x\"}, :S: \"S\", :N: \"N\", :B: \"B\", "
    ":BOOL: \"BOOL\", "
    ":NULL: \"NULL\", :L: \"L\", :M: \"M\", :SS: \"SS\", :NS: \"NS\", :BS: \"BS\"";

struct ConditionRow {
  const char* expression;
  bool holds;
};

void ExpectHolds(const std::vector<ConditionRow>& rows) {
  const Item item = ItemFrom(kFruit);
  for (const ConditionRow& row : rows) {
    Placeholders given = Given(kConditionNames, kConditionValues);
    Condition condition;
    ASSERT_EQ(ParseCondition("ConditionExpression", row.expression, &given, &condition), "")
        << row.expression;
    EXPECT_EQ(condition.Holds(item), row.holds) << row.expression;
  }
}

TEST(Condition, compares) {
  ExpectHolds({{"n = :10", true},     {"n = :ten", true},  {"n = m", true},         {"n = :9", false},
               {"n <> :9", true},     {"n <> :10", false}, {"n < :11", true},       {"n < :10", false},
               {"n <= :10", true},    {"n <= :9", false},  {"n > :9", true},        {"n > :10", false},
               {"n >= :10", true},    {"n >= :11", false}, {":9 < n", true},        {":10 = :10", true},
               {":9 > :10", false},   {"s < :z", true},    {"s > :ban", true},      {"s = :banana", true},
               {"b = :bcd", true},    {"b > :bb", true},   {"yes = :true", true},   {"off = :true", false},
               {"nul = :null", true}, {"l = :l", true},    {"mp.ins = :map", true}, {"ss = :ss", true},
               {"ns = :ns", true},    {"ss = :ns", false}, {"nine < n", true},      {"#n = :10", true}});
}

TEST(Condition, compares_neither_different_types_nor_missing_values) {
  ExpectHolds({{"n = :s10", false},       {"n <> :s10", true},    {"n < :s10", false},
               {"n > :s10", false},       {"s = :bcd", false},    {"gone = :10", false},
               {"gone <> :10", true},     {"gone < :10", false},  {"gone = away", false},
               {"gone <> away", true},    {"gone < away", false}, {":10 > gone", false},
               {"l < n", false},          {"yes < off", false},   {"l >= #list", false},
               {"gone IN (away)", false}, {"#d = :10", false},    {"n.deep = :10", false},
               {"n[0] = :10", false},     {"mp[0] = :10", false}, {"l.ins = :10", false}});
}

TEST(Condition, knows_ranges_and_lists_of_values) {
  ExpectHolds({{"n BETWEEN :9 AND :11", true},
               {"n BETWEEN :10 AND :10", true},
               {"n BETWEEN :11 AND :20", false},
               {"n between nine and :20", true},
               {"s BETWEEN :ban AND :z", true},
               {"b BETWEEN :bb AND :cd", true},
               {"s BETWEEN :9 AND :10", false},
               {"gone BETWEEN :9 AND :10", false},
               {"n IN (:9, :10)", true},
               {"n IN (:s10, :9)", false},
               {"s in (:banana)", true},
               {"l IN (:ss, :l)", true},
               {"n IN (gone, m)", true},
               {"(n)IN(:10)", true},
               {"NOT n IN (:9)", true}});
}

TEST(Condition, binds_comparisons_first_then_not_then_and_then_or) {
  ExpectHolds({{"n = :10 OR n = :10 AND n = :9", true},
               {"(n = :10 OR n = :10) AND n = :9", false},
               {"n = :9 AND n = :10 OR n = :10", true},
               {"n = :9 AND (n = :10 OR n = :10)", false},
               {"NOT n = :9 AND n = :10", true},
               {"NOT (n = :9 AND n = :10)", true},
               {"NOT n = :9 OR n = :10", true},
               {"NOT (n = :9 OR n = :10)", false},
               {"not NOT n = :10", true},
               {"n BETWEEN :9 AND :11 AND n = :10", true},
               {"n BETWEEN :9 AND :11 AND n = :9", false},
               {"NOT contains(s, :z) aNd n = :10", true},
               {"((n = :9) OR (n = :10)) AND (s = :banana)", true}});
}

TEST(Condition, asks_for_existence_and_type) {
  ExpectHolds({{"attribute_exists(n)", true},
               {"attribute_exists(nul)", true},
               {"attribute_exists(gone)", false},
               {"attribute_not_exists(gone)", true},
               {"attribute_not_exists(n)", false},
               {"attribute_exists(mp.ins.deep)", true},
               {"attribute_exists(mp.arr[1].v)", true},
               {"attribute_exists(mp.arr[2])", false},
               {"attribute_exists(l[2][0])", true},
               {"attribute_type(s, :S) AND attribute_type(n, :N) AND attribute_type(b, :B)", true},
               {"attribute_type(yes, :BOOL) AND attribute_type(nul, :NULL)", true},
               {"attribute_type(l, :L) AND attribute_type(mp, :M)", true},
               {"attribute_type(ss, :SS) AND attribute_type(ns, :NS) AND attribute_type(bs, :BS)", true},
               {"attribute_type(n, :S)", false},
               {"attribute_type(gone, :S)", false},
               {"attribute_type(:10, :N)", true}});
}

TEST(Condition, looks_into_values) {
  ExpectHolds({{"begins_with(s, :ban)", true},   {"begins_with(s, :nan)", false},
               {"begins_with(s, :e)", true},     {"begins_with(b, :bb)", true},
               {"begins_with(b, :ban)", false},  {"begins_with(n, :ban)", false},
               {"begins_with(gone, :e)", false}, {"begins_with(:banana, :ban)", true},
               {"contains(s, :nan)", true},      {"contains(s, :z)", false},
               {"contains(s, :e)", true},        {"contains(b, :cd)", true},
               {"contains(b, :red)", false},     {"contains(ss, :red)", true},
               {"contains(ss, :blue)", false},   {"contains(ns, :5)", true},
               {"contains(ns, :10)", false},     {"contains(bs, :y)", true},
               {"contains(bs, :x)", false},      {"contains(ss, :5)", false},
               {"contains(l, :1)", true},        {"contains(l, :x)", true},
               {"contains(l, :l2)", true},       {"contains(l, :2)", false},
               {"contains(mp, :x)", false},      {"contains(n, :1)", false},
               {"contains(gone, :1)", false},    {"contains(:ss, mp.ins.deep)", false}});
}

TEST(Condition, measures) {
  ExpectHolds({{"size(s) = :6", true},
               {"size(uml) = :3", true},
               {"size(b) = :3", true},
               {"size(ss) = :2", true},
               {"size(ns) = :2", true},
               {"size(bs) = :1", true},
               {"size(l) = :3", true},
               {"size(mp) = :2", true},
               {"size(n) = :2", false},
               {"size(n) <> :2", true},
               {"size(yes) = :1", false},
               {"size(gone) < :9", false},
               {"(size(s)) > :5", true},
               {":5 < size(s)", true},
               {"size(s) BETWEEN :5 AND :6", true},
               {"size(s) IN (:5, :6)", true},
               {"size(ss) = size(ns)", true},
               {"size(:banana) = :6", true}});
}

TEST(Condition, follows_paths) {
  ExpectHolds({{"mp.ins.deep = :x", true},
               {"mp . ins . deep = :x", true},
               {"mp.arr[1].v = :2", true},
               {"mp.arr [ 1 ] .v = :2", true},
               {"(mp.arr)[1].v = :2", true},
               {"(mp.ins).deep = :x", true},
               {"#list[0] = :1", true},
               {"#list[1] = l[2][0]", true},
               {"mp.#n = :1", false}});
}

TEST(Condition, sees_nothing_of_a_missing_item) {
  Placeholders given = Given("", ":v: 1");
  Condition condition;
  ASSERT_EQ(ParseCondition("ConditionExpression", "attribute_not_exists(a) AND a <> :v", &given, &condition),
            "");
  EXPECT_TRUE(condition.Holds({}));
  EXPECT_TRUE(Condition().Holds({}));
  EXPECT_TRUE(Condition().empty());
}

TEST(Condition, keeps_its_values_when_the_request_is_gone) {
  Condition condition;
  {
    Placeholders given = Given("#a: \"a\"", ":v: \"a value that is too long to be stored in place\"");
    ASSERT_EQ(ParseCondition("FilterExpression", "#a = :v", &given, &condition), "");
  }
  EXPECT_TRUE(condition.Holds(ItemFrom("a: \"a value that is too long to be stored in place\"")));
}

TEST(Condition, returns_the_names_that_it_reads) {
  Placeholders given = Given("#n: \"x.y\"", ":v: 1");
  Condition condition;
  ASSERT_EQ(ParseCondition("FilterExpression", "b.c = :v AND size(a) > :v OR NOT #n IN (b, d[0])", &given,
                           &condition),
            "");
  EXPECT_EQ(condition.TopNames(), (std::vector<std::string>{"a", "b", "d", "x.y"}));
  EXPECT_EQ(condition.EnteredNames(), (std::vector<std::string>{"b", "d"}));
}

}  // namespace
}  // namespace parley::storage
