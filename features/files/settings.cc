#include "features/files/settings.h"

#include "features/host/take_setting.h"
#include "protocol/base/ascii.h"

namespace parley::features {
namespace {

std::string LowerOf(std::string text) {
  for (char& c : text) c = protocol::LowerOf(c);
  return text;
}

}  // namespace

FileRules FilesBy(const FileSettings& settings) {
  FileRules out;
  out.enabled = settings.enabled.value.value_or(out.enabled);
  TakeSetting(settings.max_bytes, &out.max_bytes);
  if (settings.types.value) {
    out.types.clear();
    for (const auto& type : settings.types.value->items) out.types.push_back(LowerOf(type.value));
  }
  TakeSetting(settings.per_thread_bytes, &out.per_thread_bytes);
  TakeSetting(settings.per_user_per_day_bytes, &out.per_user_per_day_bytes);
  TakeSetting(settings.per_user_per_day_count, &out.per_user_per_day_count);
  if (settings.tenant_bytes.value) out.tenant_bytes = settings.tenant_bytes.value->value;
  TakeSetting(settings.concurrent_per_user, &out.concurrent_per_user);
  return out;
}

FileRules FilesBy(const accounts::Tenant& tenant) {
  return FilesBy(tenant.settings.of_features.Of<FileMember>().files.value.value_or(FileSettings()));
}

}  // namespace parley::features
