#include "gateway/documents.h"

#include <filesystem>
#include <fstream>

#include "features/all.h"
#include "gateway/app/options.h"
#include "gateway/ops/asyncapi.h"
#include "storage/declarations/document.h"
#include "threads/cards/manual.h"
#include "threads/model/retention.h"

namespace parley::gateway {

std::vector<protocol::DocPage> GeneratedDocuments() {
  std::vector<protocol::DocPage> all = {
      {"configuration.md", ManualText()},
      {"cards.md", threads::CardsManual()},
      {"retention.md", threads::RetentionManual(features::AllRetentions())}};
  for (protocol::DocPage& page : ProtocolPages()) all.push_back(std::move(page));
  for (const features::Feature* feature : features::AllFeatures()) {
    if (!feature->documents) continue;
    for (protocol::DocPage& page : feature->documents()) all.push_back(std::move(page));
  }
  for (protocol::DocPage& page : storage::TablePages()) all.push_back(std::move(page));
  return all;
}

std::string GeneratedDocument(std::string_view path) {
  for (protocol::DocPage& page : GeneratedDocuments()) {
    if (page.path == path) return std::move(page.text);
  }
  return {};
}

std::string WriteDocuments(const std::string& folder) {
  for (const protocol::DocPage& page : GeneratedDocuments()) {
    const std::filesystem::path path = std::filesystem::path(folder) / page.path;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << page.text << std::flush;
    if (!out) return path.string() + ": cannot be written";
  }
  return {};
}

}  // namespace parley::gateway
