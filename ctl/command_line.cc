// Parses the command line, with CLI11. The only file of this folder that includes it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "ctl/command.h"
#include "ctl/ctl.h"

namespace parley::ctl {
namespace {

constexpr const char* kFooter =
    "Without --url a command reads a stopped store or a checkpoint (--data DIR): verify, dump, epoch, "
    "sealing,\n"
    "and the list and get commands of tenants, users and tables, key list, and audit export. With --url it "
    "asks a running "
    "server, "
    "with the\n"
    "operator's key or a tenant's.\n"
    "exit codes: 0 done, clean; 1 differences found, or the server refused; 2 could not run or not check "
    "everything";

constexpr const char *kProves = "verify", *kDumps = "dump", *kNames = "epoch";

// The server's options of the store of files, for verify --files.
void AddFiles(CLI::App& app, CtlArgs* out) {
  app.add_flag("--files", out->files, "also look for the stored bytes of every upload")->group(kProves);
  app.add_flag("--hashes", out->hashes, "with --files: read all of them, too, and compare their SHA-256")
      ->group(kProves);
  constexpr const char* kKeys[] = {"files_dir", "files_store", "files_s3_endpoint", "files_s3_region",
                                   "files_s3_credentials_file"};
  out->files_options["files_s3_region"] = "us-east-1";
  for (const std::string key : kKeys) {
    std::string flag = "--" + key;
    std::replace(flag.begin() + 2, flag.end(), '_', '-');
    app.add_option(flag, out->files_options[key], "with --files: the server's " + key)->group(kProves);
  }
  app.add_flag_callback(
         "--files-s3-path-style", [out] { out->files_options["files_s3_path_style"] = "true"; },
         "with --files: the server's files_s3_path_style")
      ->group(kProves);
}

// Global options may be anywhere; those of verify, dump and epoch, too, for compatibility.
void AddGlobal(CLI::App& app, CtlArgs* out) {
  app.add_option("--data", out->data,
                 "directory of a stopped store; with --url, the directory of operator.key");
  app.add_option("--url", out->url,
                 "URL of a running server: https://chat.example.com, http://127.0.0.1:8080");
  app.add_option("--key-file", out->key_file,
                 "file with the key to authenticate with; DATA/operator.key if not given");
  app.add_option("--cacert", out->cacert, "certificates (PEM) to trust instead of the system's");
  app.add_flag("--plain-http", out->plain_http, "send the key over http:// beyond this machine");
  app.add_option("--tenant", out->tenant, "the tenant");
  app.add_flag("--json", out->json, "one JSON object per line, for programs");
  app.add_option("--secret-file", out->secret_file,
                 "write a new key or token to this file instead of showing it");
  app.add_option("--table-key-file", out->table_key_file,
                 "file with a table key, as `--json table key-create` prints it");
  app.add_option("--sealing-key-file", out->sealing_key_file,
                 "file with the keys of a stopped store's secrets; DATA/sealing.key if not given");
  app.add_flag("--version", out->version, "print the version");
  app.add_option("--acks", out->acks, "also check every acknowledged send in this file")->group(kProves);
  app.add_flag("--project", out->project,
               "first run the projections that the stopped server did not finish; writes")
      ->group(kProves);
  app.add_option("--thread", out->thread, "the thread")->group(kDumps);
  app.add_flag("--text", out->text, "also print the texts of users")->group(kDumps);
  app.add_flag("--renew", out->renew, "begin a new history, after a restore")->group(kNames);
}

void AddStopped(CLI::App& app, CtlArgs* out) {
  const std::pair<const char*, const char*> kCommands[] = {
      {kProves, "recomputes every inbox, index and unread number and prints the differences"},
      {kDumps, "prints a thread's partition, one JSON object per row"},
      {kNames, "prints the epoch, which names the store's history"}};
  for (const auto& [name, about] : kCommands)
    app.add_subcommand(name, about)->callback([out, word = name] { out->command = word; });
}

void AddSealing(CLI::App& app, CtlArgs* out) {
  CLI::App* sealing = app.add_subcommand("sealing", "keys of a stopped store's secrets")
                          ->require_subcommand(1)
                          ->fallthrough();
  sealing->add_subcommand("status", "counts the secrets sealed with each key")->callback([out] {
    out->command = kCtlSealingStatus;
  });
  sealing
      ->add_subcommand("rotate",
                       "reseals all secrets with a new key, or finishes an interrupted rotation; writes")
      ->callback([out] {
        out->command = "sealing rotate";
        out->rotate = true;
      });
}

void AddParameter(CLI::App& app, const Parameter& parameter, CtlArgs* out) {
  const std::string name(parameter.name);
  const std::string about(parameter.about);
  if (parameter.type == Parameter::Type::kFlag) {
    app.add_flag_callback(
        FlagOf(parameter), [out, name] { out->values[name] = "true"; }, about);
    return;
  }
  const auto take = [out, name](const std::string& value) { out->values[name] = value; };
  app.add_option_function<std::string>(parameter.positional ? name : FlagOf(parameter), take, about)
      ->required(parameter.required);
}

constexpr std::pair<const char*, const char*> kNouns[] = {
    {"tenant", "tenants"},
    {"key", "keys of a tenant's back end"},
    {"user", "users of a tenant"},
    {"token", "users' tokens"},
    {"invite", "invitations"},
    {"thread", "conversations"},
    {"table", "tables and their keys"},
    {"audit", "the acts of staff, as a chain"},
    {"trace", "requests that the log follows step by step"}};

void AddCommands(CLI::App& app, CtlArgs* out) {
  for (const auto& [noun, about] : kNouns) {
    CLI::App* of_noun = app.add_subcommand(noun, about)->require_subcommand(1)->fallthrough();
    for (const Command& command : Commands()) {
      if (command.noun != noun) continue;
      CLI::App* one = of_noun->add_subcommand(std::string(command.verb), std::string(command.about));
      one->callback([out, &command] { out->asked = &command; });
      for (const Parameter& parameter : command.parameters) AddParameter(*one, parameter, out);
    }
  }
}

// One word, because there is only one clock: `clock`, `clock --confirm`.
void AddClock(CLI::App& app, CtlArgs* out) {
  CLI::App* clock = app.add_subcommand("clock", "shows whether a server trusts its clock");
  clock->callback([out] {
    if (!out->asked) out->asked = FindCommand("clock", "get");
  });
  clock->add_flag_callback(
      "--confirm", [out] { out->asked = FindCommand("clock", "confirm"); },
      "accepts the time as correct, so that writes continue after a large step ahead");
}

std::string Judge(const CtlArgs& args) {
  if (args.data.empty() && args.url.empty()) return "--data or --url is required";
  if (args.project && args.command != kProves) return "--project belongs to verify";
  if (args.files && args.command != kProves) return "--files belongs to verify";
  if (args.hashes && !args.files) return "--hashes belongs to --files";
  if (args.renew && args.command != kNames) return "--renew belongs to epoch";
  if (args.text && args.command != kDumps) return "--text belongs to dump";
  if (args.asked) return {};
  if (!args.url.empty()) return args.command + " needs a stopped store: give --data without --url";
  if (args.command == kDumps && args.thread.empty()) return "dump needs --thread";
  return {};
}

}  // namespace

std::string ParseCtlArgs(const std::vector<std::string>& words, CtlArgs* out) {
  CLI::App app("An operator's tools for a Parley server and its store", "parleyctl");
  app.fallthrough()->require_subcommand(0, 1)->footer(kFooter);
  AddGlobal(app, out);
  AddFiles(app, out);
  AddStopped(app, out);
  AddSealing(app, out);
  AddCommands(app, out);
  AddClock(app, out);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    out->help = app.help();
    return {};
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  if (out->version) return {};
  if (!out->asked && out->command.empty()) return "a command is required";
  return Judge(*out);
}

}  // namespace parley::ctl
