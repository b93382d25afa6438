#include "protocol/base/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <map>

#include "protocol/base/mutex.h"

namespace parley::protocol {

struct Metrics::Impl {
  prometheus::Registry registry;
  Mutex mutex;
  std::map<std::string, std::string> described GUARDED_BY(mutex);  // name → "name type help"
  std::vector<std::pair<prometheus::Gauge*, std::function<double()>>> read_gauges GUARDED_BY(mutex);
  std::vector<std::pair<prometheus::Counter*, std::function<double()>>> read_counters GUARDED_BY(mutex);

  void Note(const std::string& name, const char* type, const std::string& help) {
    MutexLock lock(&mutex);
    described[name] = name + " " + type + " " + help;
  }
};

namespace {
prometheus::Labels ToLabels(const Labels& labels) {
  return {labels.begin(), labels.end()};
}
}  // namespace

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

void Counter::Add(double n) {
  if (metric_) static_cast<prometheus::Counter*>(metric_)->Increment(n);
}
void Histogram::Observe(double value) {
  if (metric_) static_cast<prometheus::Histogram*>(metric_)->Observe(value);
}

Counter Metrics::AddCounter(const std::string& name, const std::string& help, const Labels& labels) {
  impl_->Note(name, "counter", help);
  Counter out;
  out.metric_ =
      &prometheus::BuildCounter().Name(name).Help(help).Register(impl_->registry).Add(ToLabels(labels));
  return out;
}

Histogram Metrics::AddHistogram(const std::string& name, const std::string& help,
                                const std::vector<double>& bounds, const Labels& labels) {
  impl_->Note(name, "histogram", help);
  Histogram out;
  out.metric_ = &prometheus::BuildHistogram()
                     .Name(name)
                     .Help(help)
                     .Register(impl_->registry)
                     .Add(ToLabels(labels), bounds);
  return out;
}

void Metrics::AddReadGauge(const std::string& name, const std::string& help, std::function<double()> read,
                           const Labels& labels) {
  impl_->Note(name, "gauge", help);
  auto& gauge =
      prometheus::BuildGauge().Name(name).Help(help).Register(impl_->registry).Add(ToLabels(labels));
  MutexLock lock(&impl_->mutex);
  impl_->read_gauges.emplace_back(&gauge, std::move(read));
}

void Metrics::AddReadCounter(const std::string& name, const std::string& help, std::function<double()> read,
                             const Labels& labels) {
  impl_->Note(name, "counter", help);
  auto& counter =
      prometheus::BuildCounter().Name(name).Help(help).Register(impl_->registry).Add(ToLabels(labels));
  MutexLock lock(&impl_->mutex);
  impl_->read_counters.emplace_back(&counter, std::move(read));
}

std::string Metrics::Render() {
  {
    MutexLock lock(&impl_->mutex);
    for (auto& [gauge, read] : impl_->read_gauges) gauge->Set(read());
    for (auto& [counter, read] : impl_->read_counters) {
      const double more = read() - counter->Value();
      if (more > 0) counter->Increment(more);
    }
  }
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

std::vector<std::string> Metrics::Describe() const {
  MutexLock lock(&impl_->mutex);
  std::vector<std::string> out;
  for (const auto& [name, line] : impl_->described) out.push_back(line);
  return out;
}

}  // namespace parley::protocol
