#include "bench/process/server_process.h"

#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace parley::bench {

ScratchDir::ScratchDir(const std::string& parent) {
  std::filesystem::create_directories(parent);
  path_ = parent + "/parley-bench-XXXXXX";
  if (!mkdtemp(path_.data())) {
    std::perror(path_.c_str());
    std::exit(1);
  }
}

ScratchDir::~ScratchDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ServerProcess::ServerProcess(std::string binary, std::string data, std::vector<std::string> flags)
    : binary_(std::move(binary)), data_(std::move(data)), flags_(std::move(flags)) {
  Start();
}

ServerProcess::~ServerProcess() {
  Kill();
}

void ServerProcess::Start() {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  std::vector<std::string> words = {binary_,       "--data", data_,         "--listen",
                                    "127.0.0.1:0", "--demo", "--log-level", "warn"};
  words.insert(words.end(), flags_.begin(), flags_.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // ends the server if the bench dies
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(argv[0], argv.data());
    std::perror(argv[0]);
    _exit(127);
  }
  close(ends[1]);
  std::string said;
  char c;
  while (read(ends[0], &c, 1) == 1 && c != '\n') said += c;
  close(ends[0]);
  unsigned port = 0;
  if (std::sscanf(said.c_str(), "listening on 127.0.0.1:%u", &port) != 1) {
    std::fprintf(stderr, "parley-bench: %s did not start (see above)\n", binary_.c_str());
    std::exit(1);
  }
  address_ = {};
  address_.sin_family = AF_INET;
  address_.sin_port = htons(static_cast<uint16_t>(port));
  address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
}

void ServerProcess::Wait(int signal) {
  if (pid_ <= 0) return;
  kill(pid_, signal);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

void ServerProcess::Kill() {
  Wait(SIGKILL);
}

void ServerProcess::Stop() {
  Wait(SIGTERM);
}

}  // namespace parley::bench
