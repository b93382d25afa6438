// Micro-benchmarks of the steps of the hot path. Rates of single steps, without sockets or threads: for
// comparing two builds of the same step, not for promises.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "bench/load/local_node.h"
#include "fanout/inbox_projection.h"
#include "gateway/net/transport.h"
#include "protocol/canonical.h"
#include "protocol/frame.h"
#include "protocol/message_items.h"
#include "protocol/ops/all.h"
#include "storage/memory_table.h"
#include "storage/store_rows.h"
#include "threads/model/keys.h"
#include "threads/model/preview.h"

namespace parley::bench {
namespace {

using protocol::Encoding;

const protocol::TenantId kTenant{"demo"};

std::string SendRequest() {
  return R"({"id":7,"op":"message.send","args":{"threadId":"thrd_01k9abcdefghjkmnpqrstvwxyz","clientId":"c-1","type":"text","body":")" +
         std::string(200, 'x') + R"("}})";
}

void KeyOfMessage(benchmark::State& state) {
  const auto ids = protocol::NewSeededIdSource(1);
  const protocol::ThreadId thread{ids->Make(protocol::Time{1})};
  const protocol::MessageId message{ids->Make(protocol::Time{2})};
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        storage::RowKeyBytes(threads::ThreadPartition(kTenant, thread), threads::MessageKey(message)));
  }
}
BENCHMARK(KeyOfMessage);

void DecodeSend(benchmark::State& state) {
  const std::string json = SendRequest();
  for (auto _ : state) {
    protocol::Request request;
    benchmark::DoNotOptimize(protocol::ParseRequest(Encoding::kJson, json, {}, &request));
    protocol::MessageSend::Args args;
    benchmark::DoNotOptimize(protocol::Bind(*request.args, &args).ok());
  }
}
BENCHMARK(DecodeSend);

protocol::Message SomeMessage() {
  protocol::Message message;
  message.body = std::string(200, 'x');
  return message;
}

void EncodeMessage(benchmark::State& state) {
  const protocol::Message message = SomeMessage();
  for (auto _ : state) benchmark::DoNotOptimize(protocol::Encode(message));
}
BENCHMARK(EncodeMessage);

// The bytes are decoded beforehand: measures only the filling of the struct.
void BindMessage(benchmark::State& state) {
  protocol::Document document;
  if (protocol::DecodeMsgpack(protocol::Encode(SomeMessage()), {}, &document)) std::abort();
  for (auto _ : state) {
    protocol::Message message;
    if (!protocol::Bind(document.root, &message).ok()) std::abort();
    benchmark::DoNotOptimize(message);
  }
}
BENCHMARK(BindMessage);

void CanonicalSend(benchmark::State& state) {
  protocol::Request request;
  protocol::MessageSend::Args args;
  if (protocol::ParseRequest(Encoding::kJson, SendRequest(), {}, &request) ||
      !protocol::Bind(*request.args, &args).ok()) {
    std::abort();
  }
  for (auto _ : state) benchmark::DoNotOptimize(protocol::CanonicalBytes(args));
}
BENCHMARK(CanonicalSend);

void EncodeEvent(benchmark::State& state) {
  const protocol::Message message = SomeMessage();
  const std::string item = protocol::Encode(message);
  const auto encoding = state.range(0) ? Encoding::kJson : Encoding::kMsgpack;
  for (auto _ : state) {
    std::string event = protocol::SharedEvent(protocol::EventKind::kMessageCreated, message.thread_id, 7,
                                              protocol::Time{1}, item);
    if (encoding == Encoding::kJson) event = protocol::MsgpackToJson(event);
    benchmark::DoNotOptimize(gateway::MakeFrame(event, encoding == Encoding::kMsgpack));
  }
}
BENCHMARK(EncodeEvent)->Arg(0)->Arg(1);

void Preview(benchmark::State& state) {
  const std::string body(200, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(threads::Preview(body));
}
BENCHMARK(Preview);

// A group of sends through the executor onto the memory backend, and the inbox after it.
void ExecuteSends(benchmark::State& state) {
  const auto table = storage::NewMemoryTable();
  LocalNode node(*table);
  std::vector<std::string> members;
  for (int i = 0; i < 10; ++i) members.push_back("u" + std::to_string(i));
  const protocol::ThreadId thread = node.Create(members);
  const auto group = static_cast<size_t>(state.range(0));
  size_t number = 0;
  for (auto _ : state) {
    for (size_t i = 0; i < group; ++i, ++number) {
      node.Send(thread, members[number % members.size()], std::to_string(number), std::string(200, 'x'));
    }
    node.Step();
    if (state.range(1)) node.CatchUp();
  }
  state.SetItemsProcessed(static_cast<int64_t>(number));
}
BENCHMARK(ExecuteSends)
    ->ArgNames({"group", "project"})
    ->Args({1, 0})
    ->Args({256, 0})
    ->Args({1, 1})
    ->Args({256, 1})
    ->Iterations(200);

}  // namespace
}  // namespace parley::bench

BENCHMARK_MAIN();
