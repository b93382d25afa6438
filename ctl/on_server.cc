// Runs commands on a running server: finds the key and the tenant, and shows the response.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "ctl/http_client.h"
#include "ctl/request.h"
#include "ctl/show.h"

namespace parley::ctl {
namespace {

using protocol::Document;
using protocol::Value;

constexpr protocol::DecodeLimits kAnswerLimits{
    .max_bytes = size_t{64} << 20, .max_depth = 64, .max_values = 20'000'000};

std::string_view TextIn(const Value& map, std::string_view name) {
  const Value* member = map.Find(name);
  return member && member->as_text() ? *member->as_text() : std::string_view();
}

// A file for a secret, created before the secret, which could otherwise be lost. Removed again if nothing is
// written.
class SecretFile {
 public:
  explicit SecretFile(const std::string& path)
      : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)) {}
  ~SecretFile() {
    if (fd_ < 0) return;
    ::close(fd_);
    if (!written_) ::unlink(path_.c_str());
  }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;

  bool open() const { return fd_ >= 0; }
  bool Write(std::string line) {
    line += '\n';
    written_ =
        ::write(fd_, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(fd_) == 0;
    return written_;
  }

 private:
  const std::string path_;
  const int fd_;
  bool written_ = false;
};

class ServerRun {
 public:
  ServerRun(const CtlArgs& args, std::FILE* out, std::FILE* err)
      : args_(args), command_(*args.asked), request_(command_, args), out_(out), err_(err) {}

  int Run() {
    const bool signs = command_.path == "/v1/dynamodb";
    const bool done = Prepare() && (signs ? ReadTableKey() : ReadKey()) && Connect() &&
                      (signs ? ListTables() : FindTenant() && FindVersion() && AskAndShow());
    return done ? kCtlClean : code_;
  }

 private:
  bool Fail(const std::string& why) {
    std::fprintf(err_, "parleyctl: %s\n", why.c_str());
    return false;
  }
  bool Prepare() {
    if (!args_.secret_file.empty() && command_.secret.empty())
      return Fail("--secret-file works only with key create and invite create");
    const std::string why = request_.Read();
    return why.empty() || Fail(why);
  }

  // From a file, because other users of the machine can read a command line.
  bool ReadKey() {
    const std::string path = args_.key_file.empty() ? args_.data + "/operator.key" : args_.key_file;
    if (args_.key_file.empty() && args_.data.empty())
      return Fail("--key-file is required, or --data for its operator.key");
    if (!ReadWhole(path, &key_)) return Fail(path + " cannot be read");
    WarnIfOpen(path);
    while (!key_.empty() && (key_.back() == '\n' || key_.back() == '\r')) key_.pop_back();
    const bool is_key =
        !key_.empty() && std::all_of(key_.begin(), key_.end(), [](char c) { return c > ' ' && c < 127; });
    return is_key || Fail(path + " must contain a key in one line");
  }
  void WarnIfOpen(const std::string& path) {
    struct stat about {};
    if (::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && (about.st_mode & S_IROTH))
      Fail("warning: other users of this machine can read " + path);
  }

  bool ReadTableKey() {
    std::string text;
    Document key;
    if (args_.table_key_file.empty()) return Fail("table list needs a table key: --table-key-file");
    if (!ReadWhole(args_.table_key_file, &text)) return Fail(args_.table_key_file + " cannot be read");
    const bool is_json = !protocol::DecodeJson(text, kAnswerLimits, &key) && key.root.as_map();
    table_key_ =
        std::string(TextIn(key.root, "accessKeyId")) + ":" + std::string(TextIn(key.root, "secretAccessKey"));
    return (is_json && table_key_.size() > 1) || Fail(args_.table_key_file + " contains no table key");
  }

  bool Connect() {
    client_ =
        std::make_unique<HttpClient>(HttpClient::Settings{args_.url, key_, args_.cacert, args_.plain_http});
    const std::string why = client_->Fault();
    return why.empty() || Fail(why);
  }

  // Whether the server accepted the request; *out is null if the response has no content.
  bool Ask(const HttpAsk& ask, Document* out) {
    HttpReply reply = client_->Ask(ask);
    if (!reply.trouble.empty()) return Fail("the server cannot be reached: " + reply.trouble);
    const bool is_json = !reply.body.empty() && !protocol::DecodeJson(reply.body, kAnswerLimits, out);
    if (reply.status >= 400) return Refused(reply.status, is_json ? out->root : Value());
    if (reply.status < 200 || reply.status >= 300 || (!reply.body.empty() && !is_json))
      return Fail("this is not a Parley server (status " + std::to_string(reply.status) + ")");
    return true;
  }

  bool Refused(int status, const Value& body) {
    const Value* error = body.Find("error");
    if (!error || !error->as_map()) {
      const std::string_view type = TextIn(body, "__type");  // from the DynamoDB API
      if (type.empty()) return Fail("the server answered with status " + std::to_string(status));
      error = &body;
    }
    code_ = kCtlRefused;
    if (args_.json) {
      std::fprintf(err_, "%s\n", JsonOf(*error).c_str());
      return false;
    }
    const bool is_ours = error->Find("code") != nullptr;
    Fail(CellOf(error->Find(is_ours ? "code" : "__type")) + ": " + CellOf(error->Find("message")));
    if (error->Find("hint")) std::fprintf(err_, "  %s\n", CellOf(error->Find("hint")).c_str());
    if (const Value* fields = error->Find("fields"); fields && fields->as_map()) {
      for (const auto& [name, what] : *fields->as_map())
        std::fprintf(err_, "  %s %s\n", std::string(name).c_str(), CellOf(&what).c_str());
    }
    return false;
  }

  // A tenant key belongs to one tenant; an operator must name the tenant.
  bool FindTenant() {
    tenant_ = args_.tenant;
    const bool of_server = command_.path == "/v1/tenants" || command_.noun == "clock" ||
                           command_.noun == "trace" || args_.values.contains("tenantId");
    if (of_server) tenant_.clear();
    if (of_server || !tenant_.empty()) return true;
    if (key_.starts_with("opk_")) return Fail("the operator's key needs --tenant");
    if (!command_.names("tenantId")) return true;
    Document own;
    if (!Ask({"GET", "/v1/tenants"}, &own)) return false;
    const Value* items = own.root.Find("items");
    if (!items || !items->as_array() || items->as_array()->size() != 1) return Fail("--tenant is required");
    tenant_ = TextIn(items->as_array()->front(), "tenantId");
    return true;
  }

  // A change names the version that it is based on.
  bool FindVersion() {
    if (!request_.lacks_version()) return true;
    Document present;
    if (!Ask({"GET", request_.Path(tenant_)}, &present)) return false;
    const Value* shown = present.root.Find(command_.member);
    const Value* version = shown ? shown->Find("version") : nullptr;
    if (!version || !version->as_int()) return Fail("the server's answer has no version");
    request_.SetVersion(*version->as_int());
    return true;
  }

  bool AskAndShow() { return command_.is_list() ? ShowPages() : ShowAnswer(); }

  bool ShowPages() {
    Listing listing(command_.columns, args_.json, out_);
    std::string cursor;
    do {
      Document page;
      if (!Ask(request_.AskOf(tenant_), &page)) return false;
      const Value* items = page.root.Find(command_.member);
      if (!items || !items->as_array()) return Fail("the server's answer has no list");
      for (const Value& item : *items->as_array()) listing.Add(item);
      cursor = TextIn(page.root, "cursor");
      if (!cursor.empty()) request_.Continue(cursor);
    } while (!cursor.empty());
    listing.Finish();
    return true;
  }

  bool ShowAnswer() {
    std::unique_ptr<SecretFile> file;
    if (!args_.secret_file.empty()) file = std::make_unique<SecretFile>(args_.secret_file);
    if (file && !file->open()) return Fail(args_.secret_file + " cannot be created, or exists already");
    Document answer;
    if (!Ask(request_.AskOf(tenant_), &answer)) return false;
    const Value* shown = answer.root.Find(command_.member);
    if (file && !file->Write(std::string(TextIn(answer.root, command_.secret)))) {
      file.reset();
      Fail(args_.secret_file + " cannot be written");
    } else if (file) {
      std::erase_if(*answer.root.as_map(),
                    [&](const auto& member) { return member.first == command_.secret; });
    }
    if (answer.root.is_null()) {
      if (!args_.json) std::fputs("done\n", out_);
    } else {
      ShowOne(shown ? *shown : answer.root, args_.json, out_);
    }
    return true;
  }

  bool ListTables() {
    Listing listing(command_.columns, args_.json, out_);
    std::string last;
    do {
      protocol::Map body;
      if (!last.empty()) body.emplace_back("ExclusiveStartTableName", Value(std::string_view(last)));
      HttpAsk ask{"POST", "/v1/dynamodb", JsonOf(Value(std::move(body)))};
      ask.headers = {"X-Amz-Target: DynamoDB_20120810.ListTables",
                     "Content-Type: application/x-amz-json-1.0"};
      ask.table_key = table_key_;
      Document page;
      if (!Ask(ask, &page)) return false;
      const Value* names = page.root.Find(command_.member);
      if (!names || !names->as_array()) return Fail("the server's answer has no list");
      for (const Value& name : *names->as_array()) listing.Add(Value(protocol::Map{{"name", name}}));
      last = TextIn(page.root, "LastEvaluatedTableName");
    } while (!last.empty());
    listing.Finish();
    return true;
  }

  const CtlArgs& args_;
  const Command& command_;
  Request request_;
  std::FILE* const out_;
  std::FILE* const err_;
  std::string key_, table_key_, tenant_;
  std::unique_ptr<HttpClient> client_;
  int code_ = kCtlCouldNotRun;
};

}  // namespace

int CtlOnServer(const CtlArgs& args, std::FILE* out, std::FILE* err) {
  return ServerRun(args, out, err).Run();
}

}  // namespace parley::ctl
