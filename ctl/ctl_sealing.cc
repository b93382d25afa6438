// Counts the secrets of a stopped store by sealing key, and seals them with a new one.
#include <cinttypes>

#include "accounts/store_sealing.h"
#include "ctl/ctl.h"
#include "ctl/show.h"
#include "protocol/writer.h"
#include "storage/sealing/key_file.h"

namespace parley::ctl {
namespace {

using accounts::SealedValues;

void PrintCount(const std::string& key, size_t values, const CtlArgs& args, std::FILE* out) {
  if (!args.json) {
    std::fprintf(out, "%-18s%zu\n", key.c_str(), values);
    return;
  }
  const protocol::Value line(protocol::Map{{"key", protocol::Value(std::string_view(key))},
                                           {"values", protocol::Value(static_cast<int64_t>(values))}});
  std::fprintf(out, "%s\n", JsonOf(line).c_str());
}

// Prints each key of the file, and each other key in use, with the number of values that it sealed.
void Print(const std::vector<storage::SealingKey>& keys, SealedValues values, const CtlArgs& args,
           std::FILE* out) {
  if (!args.json) std::fprintf(out, "%-18s%s\n", "key", "values");
  for (const storage::SealingKey& key : keys) {
    PrintCount(key.id.ToText(), values.by_key[key.id], args, out);
    values.by_key.erase(key.id);
  }
  for (const auto& [key, count] : values.by_key) PrintCount(key.ToText(), count, args, out);
  if (values.open > 0) PrintCount("none", values.open, args, out);
  if (values.damaged > 0) PrintCount("damaged", values.damaged, args, out);
}

int Complain(const std::string& why, std::FILE* err) {
  std::fprintf(err, "parleyctl: %s\n", why.c_str());
  return kCtlCouldNotRun;
}

}  // namespace

std::string SealingKeyPath(const CtlArgs& args) {
  return accounts::SealingKeyPath(args.sealing_key_file, args.data);
}

int CtlSealingStatus(const storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err) {
  const std::string path = SealingKeyPath(args);
  const auto sealer = accounts::FindSealer(table, path);
  if (!sealer.ok()) return Complain(sealer.error().message, err);
  const auto keys = storage::ReadKeyFile(path);
  if (!keys.ok()) return Complain(keys.error().message, err);
  SealedValues values;
  if (const auto status = accounts::CountSealedValues(table, *sealer, &values); !status.ok())
    return Complain("the store cannot be read: " + status.detail, err);
  Print(keys->value_or(std::vector<storage::SealingKey>()), values, args, out);
  return values.damaged > 0 ? kCtlDifferences : kCtlClean;
}

int CtlSealingRotate(storage::Table& table, const CtlArgs& args, std::FILE* out, std::FILE* err) {
  const auto rotated = accounts::RotateSealing(table, SealingKeyPath(args));
  if (!rotated.ok()) return Complain(rotated.error().message, err);
  if (!args.json)
    std::fprintf(out, "%zu values resealed with the key %s\n", rotated->values.resealed,
                 rotated->sealer.newest().ToText().c_str());
  return CtlSealingStatus(table, args, out, err);
}

}  // namespace parley::ctl
