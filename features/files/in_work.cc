#include "features/files/in_work.h"

namespace parley::features {

bool InWork::Begin(const protocol::AttachmentId& file) {
  const protocol::MutexLock lock(&mutex_);
  if (files_.contains(file)) return false;
  if (files_.size() >= kFilesMax) {
    more_ = true;
    return false;
  }
  return files_.insert(file).second;
}

void InWork::End(const protocol::AttachmentId& file) {
  std::function<void()> wake;
  {
    const protocol::MutexLock lock(&mutex_);
    files_.erase(file);
    if (more_ && files_.size() <= kFilesMax / 2) wake = due_;
  }
  if (wake) wake();
}

bool InWork::Has(const protocol::AttachmentId& file) const {
  const protocol::MutexLock lock(&mutex_);
  return files_.contains(file);
}

size_t InWork::size() const {
  const protocol::MutexLock lock(&mutex_);
  return files_.size();
}

void InWork::SetMore(bool more) {
  const protocol::MutexLock lock(&mutex_);
  more_ = more;
}

void InWork::Wake() const {
  std::function<void()> wake;
  {
    const protocol::MutexLock lock(&mutex_);
    wake = due_;
  }
  if (wake) wake();
}

void InWork::Stop() {
  const protocol::MutexLock lock(&mutex_);
  due_ = nullptr;
}

}  // namespace parley::features
