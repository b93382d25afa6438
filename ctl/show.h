// Prints the output of parleyctl: tables and lists of members for people, one JSON object per line for
// programs. Text by people cannot control the terminal: control characters are shown as '?'.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/value.h"

namespace parley::ctl {

std::string JsonOf(const protocol::Value& value);
// A cell's text: text unchanged, null as '-', lists joined by commas, maps as JSON.
std::string CellOf(const protocol::Value* value);

// A list: rows are collected, because a table needs all of them.
class Listing {
 public:
  Listing(std::vector<std::string_view> columns, bool json, std::FILE* out)
      : columns_(std::move(columns)), json_(json), out_(out) {}
  // JSON is printed at once.
  void Add(const protocol::Value& row);
  void Finish();

 private:
  const std::vector<std::string_view> columns_;
  const bool json_;
  std::FILE* const out_;
  std::vector<std::vector<std::string>> rows_;
};

// One thing: its members, one per line.
void ShowOne(const protocol::Value& value, bool json, std::FILE* out);

}  // namespace parley::ctl
