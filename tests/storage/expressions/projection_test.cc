#include <gtest/gtest.h>

#include "tests/storage/expressions/item_text.h"

namespace parley::storage {
namespace {

std::string Projected(std::string_view expression, std::string_view item) {
  Placeholders given = Given("#s: \"size\", #d: \"a.b\"", "");
  ProjectionPaths paths;
  const Fault fault = ParseProjection(expression, &given, &paths);
  return fault.empty() ? TextOfItem(paths.Of(ItemFrom(item))) : fault;
}

TEST(Projection, keeps_only_the_named_paths) {
  constexpr std::string_view kItem =
      "a: 1, b: {c: 2, d: {e: 3, f: 4}}, l: [1, {x: 2, y: 3}, [4, 5], 6], a.b: 7, size: 8";
  EXPECT_EQ(Projected("a", kItem), "a: 1");
  EXPECT_EQ(Projected("gone, a", kItem), "a: 1");
  EXPECT_EQ(Projected("gone", kItem), "");
  EXPECT_EQ(Projected("b.c", kItem), "b: {c: 2}");
  EXPECT_EQ(Projected("b.d.f, b.c", kItem), "b: {c: 2, d: {f: 4}}");
  EXPECT_EQ(Projected("b.d", kItem), "b: {d: {e: 3, f: 4}}");
  EXPECT_EQ(Projected("b.gone, b.d.gone", kItem), "");
  EXPECT_EQ(Projected("l[3], l[0]", kItem), "l: [1, 6]");
  EXPECT_EQ(Projected("l[2][1], l[1].y, l[9]", kItem), "l: [{y: 3}, [5]]");
  EXPECT_EQ(Projected("l[2] [0] , l [1] . x", kItem), "l: [{x: 2}, [4]]");
  EXPECT_EQ(Projected("#d, #s", kItem), "a.b: 7, size: 8");
  EXPECT_EQ(Projected("a.b", kItem), "");
  EXPECT_EQ(Projected("a[0], b[0], l.x", kItem), "");
}

TEST(Projection, without_paths_keeps_everything) {
  EXPECT_EQ(TextOfItem(ProjectionPaths().Of(ItemFrom("a: 1, b: [2]"))), "a: 1, b: [2]");
}

TEST(Projection, takes_paths_that_were_put_together_in_any_order) {
  ProjectionPaths paths;
  paths.paths = {{PathStep{"b"}}, {PathStep{"a"}, PathStep{"", 1}}, {PathStep{"a"}, PathStep{"", 0}}};
  EXPECT_EQ(TextOfItem(paths.Of(ItemFrom("a: [1, 2, 3], b: 4, c: 5"))), "a: [1, 2], b: 4");
  EXPECT_EQ(TextOf(paths.paths[1]), "a[1]");
  EXPECT_EQ(paths.EnteredNames(), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace parley::storage
