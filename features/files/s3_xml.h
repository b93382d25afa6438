// Reads the few elements that are needed of S3's answers. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::features {

// The contents of all elements of this name, without attributes and undecoded, in order. Elements of one name
// must not be nested.
std::vector<std::string_view> XmlElements(std::string_view xml, std::string_view name);
// The decoded text of the first element of this name; nullopt: the document has no such element.
std::optional<std::string> XmlText(std::string_view xml, std::string_view name);

}  // namespace parley::features
