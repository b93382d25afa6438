#include "bench/net/poller.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "bench/measure/cpu.h"

namespace parley::bench {
namespace {

void Must(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::exit(1);
}

}  // namespace

Poller::Poller()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), vectors_(gateway::BatchWriter::kPiecesMax), ready_(1024) {
  Must(epoll_ >= 0, "epoll_create1");
}

Poller::~Poller() {
  close(epoll_);
}

void Poller::Add(int fd, uint32_t events, Handler* handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = handler;
  Must(epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0, "epoll_ctl");
}

void Poller::Modify(int fd, uint32_t events, Handler* handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = handler;
  Must(epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event) == 0, "epoll_ctl");
}

void Poller::Remove(int fd, Handler* handler) {
  epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  // It may be among the events that are not handled yet.
  for (epoll_event& event : ready_) {
    if (event.data.ptr == handler) event.data.ptr = nullptr;
  }
  std::erase(dirty_, handler);
  std::replace(flushing_.begin(), flushing_.end(), handler, static_cast<Handler*>(nullptr));
}

void Poller::FlushNow() {
  flushing_.swap(dirty_);
  if (flushing_.size() > 1) WriteTogether();
  for (size_t i = 0; i < flushing_.size(); ++i) {
    if (flushing_[i]) flushing_[i]->OnTurnEnd();
  }
  flushing_.clear();
}

void Poller::WriteTogether() {
  if (!std::exchange(asked_for_writer_, true)) writer_ = gateway::BatchWriter::New();
  if (!writer_) return;
  for (size_t next = 0; next < flushing_.size();) {
    pieces_.clear();
    offering_.clear();
    for (; next < flushing_.size() && pieces_.size() < vectors_.size(); ++next) {
      int fd = -1;
      iovec& bytes = vectors_[pieces_.size()];
      if (!flushing_[next] || !flushing_[next]->Offer(&fd, &bytes)) continue;
      pieces_.push_back({fd, &bytes, 1});
      offering_.push_back(flushing_[next]);
    }
    writer_->Write(&pieces_);
    for (size_t i = 0; i < pieces_.size(); ++i) offering_[i]->Took(pieces_[i].written);
  }
}

int Poller::Poll(int64_t deadline_ns) {
  FlushNow();
  int count = epoll_wait(epoll_, ready_.data(), static_cast<int>(ready_.size()), 0);
  if (count == 0) {
    const int64_t before = NowNs();
    const int64_t left = std::max<int64_t>(0, deadline_ns - before);
    const timespec timeout{left / 1'000'000'000, left % 1'000'000'000};
    count = epoll_pwait2(epoll_, ready_.data(), static_cast<int>(ready_.size()), &timeout, nullptr);
    waited_ns_ += NowNs() - before;
  }
  for (int i = 0; i < count; ++i) {
    if (auto* handler = static_cast<Handler*>(ready_[i].data.ptr)) handler->OnReady(ready_[i].events);
  }
  FlushNow();
  return std::max(count, 0);
}

}  // namespace parley::bench
