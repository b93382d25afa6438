// Reads any bytes as a frame of either encoding. Decoding is bounded and does not crash. A decoded frame
// encodes and decodes again to the same bytes, in MessagePack and through JSON. The args of a known op either
// bind or are rejected with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "features/ops.h"
#include "protocol/frame.h"
#include "protocol/writer.h"

namespace {

using namespace parley::protocol;

std::string Encoded(const Value& value) {
  Writer w;
  w.Put(value);
  return w.Take();
}

void CheckTree(const Value& root) {
  const std::string bytes = Encoded(root);
  Document again, from_json;
  DecodeLimits limits;
  limits.max_bytes = bytes.size() * 8 + 64;  // numbers and escapes are longer as text
  if (DecodeMsgpack(bytes, limits, &again) != nullptr || Encoded(again.root) != bytes) std::abort();
  if (DecodeJson(MsgpackToJson(bytes), limits, &from_json) != nullptr || Encoded(from_json.root) != bytes)
    std::abort();
}

void CheckArgs(const Request& request) {
  if (!request.args) return;
  ForEachOp(parley::features::AllOps{}, [&]<class Op>() {
    if (request.op != Op::kName) return;
    typename Op::Args args;
    const auto bound = Bind(*request.args, &args);
    if (!bound.ok() && bound.error().message.empty()) std::abort();
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  for (const Encoding encoding : {Encoding::kMsgpack, Encoding::kJson}) {
    Document document;
    if (Decode(encoding, input, {}, &document) == nullptr) CheckTree(document.root);
    Request request;
    const auto fault = ParseRequest(encoding, input, {}, &request);
    if (!fault) CheckArgs(request);
    if (fault && fault->why.empty()) std::abort();
  }
  return 0;
}
