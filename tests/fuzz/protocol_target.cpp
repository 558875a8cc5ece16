#include "gpu/protocol.h"
#include "targets.h"

namespace gemmscope::fuzz {
namespace {

void require_same(const gpu::Reply& a, const gpu::Reply& b) {
  const std::string promise = "a reply survives encoding";
  require(a.id == b.id && a.what.index() == b.what.index(), promise);
  if (const auto* facts = std::get_if<gpu::DeviceFacts>(&a.what))
    require(*facts == std::get<gpu::DeviceFacts>(b.what), promise);
  if (const auto* run = std::get_if<gpu::RunReply>(&a.what))
    require(*run == std::get<gpu::RunReply>(b.what), promise);
  if (const auto* prepared = std::get_if<gpu::Prepared>(&a.what))
    require(*prepared == std::get<gpu::Prepared>(b.what), promise);
  if (const auto* time = std::get_if<gpu::TimeReply>(&a.what))
    require(*time == std::get<gpu::TimeReply>(b.what), promise);
}

template <typename T>
void require_same(const gpu::Request& a, const gpu::Request& b) {
  if (const auto* what = std::get_if<T>(&a.what))
    require(*what == std::get<T>(b.what), "a request survives encoding");
}
void require_same(const gpu::Request& a, const gpu::Request& b) {
  require_same<gpu::RunRequest>(a, b);
  require_same<gpu::PrepareRequest>(a, b);
  require_same<gpu::PrepareLibraryRequest>(a, b);
  require_same<gpu::TimeRequest>(a, b);
  require_same<gpu::ReleaseRequest>(a, b);
  if (const auto* prepare = std::get_if<gpu::PrepareRequest>(&a.what))
    if (const auto checked = gpu::check_request(*prepare); !checked)
      require(!checked.error().message.empty(), "a refusal says why");
}

}  // namespace

void protocol(Bytes bytes) {
  const std::string_view line = text_of(bytes);
  if (const auto reply = gpu::decode_reply(line)) {
    const auto again = gpu::decode_reply(gpu::encode_reply(*reply));
    require(again.has_value(), "what encode_reply says can be read");
    require_same(*reply, *again);
  } else {
    require(!reply.error().error.message.empty(), "a refusal says why");
    // The runner and the client send such messages on.
    gpu::encode_reply({reply.error().id, reply.error().error});
  }
  const auto request = gpu::decode_request(line);
  if (!request) return require(!request.error().error.message.empty(), "a refusal says why");
  const auto again = gpu::decode_request(
      std::visit([&](const auto& what) { return gpu::encode_request(request->id, what); }, request->what));
  require(again && again->id == request->id && again->what.index() == request->what.index(),
          "a request survives encoding");
  require_same(*request, *again);
}

}  // namespace gemmscope::fuzz
