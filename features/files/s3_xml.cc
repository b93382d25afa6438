#include "features/files/s3_xml.h"

#include <algorithm>
#include <utility>

namespace parley::features {
namespace {

constexpr std::pair<std::string_view, char> kEntities[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                                                           {"&quot;", '"'}, {"&apos;", '\''}, {"&#34;", '"'},
                                                           {"&#39;", '\''}, {"&#x27;", '\''}};

std::string DecodedXml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& one) { return text.starts_with(one.first); });
    const bool is_entity = found != std::end(kEntities);
    out += is_entity ? found->second : text.front();
    text.remove_prefix(is_entity ? found->first.size() : 1);
  }
  return out;
}

}  // namespace

std::vector<std::string_view> XmlElements(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
  std::vector<std::string_view> out;
  while (true) {
    const size_t begin = xml.find(open);
    if (begin == std::string_view::npos) return out;
    xml.remove_prefix(begin + open.size());
    const size_t end = xml.find(close);
    if (end == std::string_view::npos) return out;
    out.push_back(xml.substr(0, end));
    xml.remove_prefix(end + close.size());
  }
}

std::optional<std::string> XmlText(std::string_view xml, std::string_view name) {
  const auto found = XmlElements(xml, name);
  if (found.empty()) return std::nullopt;
  return DecodedXml(found.front());
}

}  // namespace parley::features
