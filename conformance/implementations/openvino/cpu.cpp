// OpenVINO's CPU plug-in, configured by kCpu.
#include "cpu.h"

#include <exception>
#include <list>
#include <mutex>
#include <new>
#include <openvino/op/constant.hpp>
#include <openvino/op/parameter.hpp>
#include <openvino/op/reshape.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "computed_pattern.h"
#include "way.h"

namespace openvino_way {
namespace {

// The key of a compiled model in the cache. Compiled models are cached because compiling takes a
// thousand times as long as running, and because applications reuse them, too.
struct Key {
  std::string types;
  ov::PartialShape data;
  ov::Shape pattern_shape;
  std::string values;           // of a constant pattern
  std::vector<Source> sources;  // of a computed pattern
  bool special_zero;

  bool operator==(const Key&) const = default;
};

Key key_of(const Question& question) {
  Key key{question.data_type.to_string() + question.pattern_type.to_string(),
          question.data,
          question.pattern_shape,
          "",
          {},
          question.special_zero};
  if (!kCpu.sizes_known) {
    key.data = ov::PartialShape::dynamic(static_cast<std::int64_t>(question.data.size()));
  }
  if (kCpu.pattern == PatternIs::kComputed) key.sources = sources_of(question);
  if (kCpu.pattern != PatternIs::kInput && key.sources.empty()) {
    const ov::Tensor values(question.pattern_type, question.pattern_shape, question.pattern);
    key.values.assign(static_cast<const char*>(question.pattern), values.get_byte_size());
  }
  return key;
}

ov::CompiledModel compile(const Question& question, const Key& key) {
  // Never destroyed, so that the order of destructors at the end of the process does not matter.
  static ov::Core& core = *new ov::Core;
  const auto data = std::make_shared<ov::op::v0::Parameter>(question.data_type, key.data);
  ov::ParameterVector inputs{data};
  ov::Output<ov::Node> pattern;
  if (!key.sources.empty()) {
    const ov::Shape second = second_of(question, key.sources);
    inputs.push_back(std::make_shared<ov::op::v0::Parameter>(
        ov::element::u8, ov::PartialShape::dynamic(static_cast<std::int64_t>(second.size()))));
    pattern = computed(key.sources, question.pattern_type, data, inputs.back());
  } else if (kCpu.pattern == PatternIs::kInput) {
    inputs.push_back(
        std::make_shared<ov::op::v0::Parameter>(question.pattern_type, question.pattern_shape));
    pattern = inputs.back();
  } else {
    pattern = std::make_shared<ov::op::v0::Constant>(question.pattern_type, question.pattern_shape,
                                                     question.pattern);
  }
  const auto node = std::make_shared<ov::op::v1::Reshape>(data, pattern, question.special_zero);
  // Refusals of the operation itself have been thrown by now. Compiling allocates tensors of known
  // sizes, which takes long for large ones.
  if (!worth_having(question.data_type, question.data)) throw std::bad_alloc();
  const auto model = std::make_shared<ov::Model>(ov::OutputVector{node}, inputs);
  return core.compile_model(model, "CPU", ov::hint::inference_precision(ov::element::f32),
                            ov::inference_num_threads(kCpu.threads), ov::num_streams(1));
}

// A cache of the models used last, shared by all threads and never destroyed. As in applications,
// each call makes its own request.
ov::CompiledModel compiled_for(const Question& question) {
  constexpr std::size_t kKept = 24;
  static std::mutex& one_at_a_time = *new std::mutex;
  static auto& kept = *new std::list<std::pair<Key, ov::CompiledModel>>;
  Key key = key_of(question);
  const std::scoped_lock lock(one_at_a_time);
  for (auto at = kept.begin(); at != kept.end(); ++at) {
    if (!(at->first == key)) continue;
    kept.splice(kept.begin(), kept, at);
    return kept.front().second;
  }
  ov::CompiledModel compiled = compile(question, key);
  if (kept.size() == kKept) kept.pop_back();
  kept.emplace_front(std::move(key), compiled);
  return compiled;
}

// The request must not outlive the call: it refers to the caller's memory.
void ask(ov::InferRequest& request, const Question& question, const ov::Tensor& data) {
  request.set_input_tensor(0, data);
  const std::vector<Source> sources =
      kCpu.pattern == PatternIs::kComputed ? sources_of(question) : std::vector<Source>{};
  if (!sources.empty()) {
    request.set_input_tensor(1, ov::Tensor(ov::element::u8, second_of(question, sources)));
  } else if (kCpu.pattern == PatternIs::kInput) {
    request.set_input_tensor(
        1, ov::Tensor(question.pattern_type, question.pattern_shape, question.pattern));
  }
  if (kCpu.asynchronous) {
    request.start_async();
    return request.wait();
  }
  // A failed infer() leaves state behind that makes the next infer() of the same thread fail
  // (notes.md). In a thread of its own it cannot affect another request.
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      request.infer();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace

const bool kHasRun = true;
const bool kStrided = false;
const bool kStartsThreads = true;
// The plug-in refuses more when it compiles a model. The second input has one more than the output.
const int kMaxRank = kCpu.pattern == PatternIs::kComputed ? 31 : 32;

ov::PartialShape infer(const Question& question) {
  ov::CompiledModel compiled = compiled_for(question);
  if (kCpu.sizes_known) return compiled.output(0).get_partial_shape();
  const ov::Tensor data = zeros(question.data_type, question.data);
  const ov::PartialShape known = compiled.output(0).get_partial_shape();
  ov::InferRequest request = compiled.create_infer_request();
  // With one thread infer() returns although it refused, and the output keeps the shape that it was
  // given here: one of another rank than any right answer, so that it never reads as one.
  const ov::Shape unanswered(known.rank() == 1 ? 2 : 1, 0);
  request.set_output_tensor(
      0, output_with_room(data, known.is_static() ? known.to_shape() : unanswered));
  ask(request, question, data);
  return request.get_output_tensor(0).get_shape();
}

void run(const Question& question, const ov::Tensor& data, const ov::Tensor& output) {
  ov::InferRequest request = compiled_for(question).create_infer_request();
  request.set_output_tensor(0, output);
  ask(request, question, data);
}

}  // namespace openvino_way
