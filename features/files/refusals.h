// Counts the uploads that were refused, by the limit that they exceed.
//
// Thread contract: any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "protocol/base/error.h"
#include "protocol/base/metrics.h"

namespace parley::features {

class UploadRefusals {
 public:
  explicit UploadRefusals(protocol::Metrics& metrics) {
    for (size_t i = 0; i < refused_.size(); ++i)
      refused_[i] = metrics.AddCounter("parley_uploads_refused_total",
                                       "Uploads refused, by the setting whose limit they exceed",
                                       {{"limit", std::string(kLimits[i])}});
  }
  // Counts nothing if the error names no limit.
  void Note(const protocol::Error& error) {
    for (const auto& [field, limit] : error.fields) {
      for (size_t i = 0; field == "limit" && i < refused_.size(); ++i)
        if (limit == kLimits[i]) refused_[i].Add();
    }
  }

 private:
  // The members of the settings `files{}`.
  static constexpr std::string_view kLimits[] = {
      "types",       "maxBytes",         "perThreadBytes", "perUserPerDayCount", "perUserPerDayBytes",
      "tenantBytes", "concurrentPerUser"};
  std::array<protocol::Counter, std::size(kLimits)> refused_;
};

}  // namespace parley::features
