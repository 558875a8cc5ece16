// Plays back recorded conversations with a runner, line by line (">" to it, "<" from it). The client must
// send the same lines and understand the answers. device_test records a new one; see measure_on_gpu.sh.
#include "transcript.h"

namespace gemmscope::gpu {
namespace {

template <typename T>
void expect_reply(const Outcome<T>& outcome, const Reply& reply) {
  if (const auto* error = std::get_if<RunnerError>(&reply.what)) {
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().kind, error->kind);
    EXPECT_EQ(outcome.error().message, error->message);
    return;
  }
  ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
  EXPECT_EQ(*outcome, std::get<T>(reply.what));
}

void ask_again(Client& client, const HelloRequest&, const Reply& reply) {
  expect_reply(client.hello(), reply);
}
void ask_again(Client& client, const RunRequest& request, const Reply& reply) {
  expect_reply(client.run(request), reply);
}
void ask_again(Client& client, const PrepareRequest& request, const Reply& reply) {
  expect_reply(client.prepare(request), reply);
}
void ask_again(Client& client, const PrepareLibraryRequest& request, const Reply& reply) {
  expect_reply(client.prepare(request), reply);
}
void ask_again(Client& client, const TimeRequest& request, const Reply& reply) {
  expect_reply(client.time(request), reply);
}
void ask_again(Client& client, const ReleaseRequest& request, const Reply& reply) {
  EXPECT_EQ(client.release(request).has_value(), std::holds_alternative<Released>(reply.what));
}
void ask_again(Client&, const QuitRequest&, const Reply&) {}  // the client sends it when it ends

void play(const std::filesystem::path& path) {
  SCOPED_TRACE(path.string());
  const std::vector<Exchange> exchanges = read_transcript(path);
  ASSERT_FALSE(exchanges.empty());
  Client client(fake_settings("transcript", path.string()));
  for (const Exchange& exchange : exchanges)
    std::visit([&](const auto& request) { ask_again(client, request, exchange.reply); },
               exchange.request.what);
}

TEST(Transcript, EveryRecordedConversationPlays) {
  int played = 0;
  for (const auto& entry : std::filesystem::directory_iterator(transcript_folder())) {
    if (entry.path().extension() != ".transcript") continue;
    play(entry.path());
    ++played;
  }
  EXPECT_GE(played, 4);
}

TEST(Transcript, TheHandWrittenConversationHasItsValues) {
  const std::vector<Exchange> exchanges = read_transcript(transcript_folder() / "by_hand.transcript");
  ASSERT_EQ(exchanges.size(), 4u);
  EXPECT_EQ(std::get<DeviceFacts>(exchanges[0].reply.what),
            (DeviceFacts{"Example GPU", 86, 46, 1770, 8'000'000'000, "580.1", "13.0"}));
  const auto& run = std::get<RunRequest>(exchanges[1].request.what);
  EXPECT_EQ(run.kernel, "add_one");
  EXPECT_EQ(run.grid, (std::array<uint32_t, 3>{2, 1, 1}));
  EXPECT_EQ(run.block, (std::array<uint32_t, 3>{32, 4, 1}));
  const std::vector<std::byte> two{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0x40}};  // 2.0f
  const auto& reply = std::get<RunReply>(exchanges[1].reply.what);
  EXPECT_EQ(reply.buffers, std::vector<std::vector<std::byte>>{two});
  EXPECT_EQ(reply.outside_writes, (std::vector<OutsideWrite>{{0, 4}}));
  EXPECT_EQ(std::get<RunnerError>(exchanges[2].reply.what).kind, ErrorKind::out_of_memory);
}

TEST(Transcript, TheConversationAboutTimingsHasItsValues) {
  const std::vector<Exchange> exchanges = read_transcript(transcript_folder() / "by_hand_timing.transcript");
  ASSERT_EQ(exchanges.size(), 6u);
  const auto& facts = std::get<DeviceFacts>(exchanges[0].reply.what);
  EXPECT_EQ(facts.memory_gb_per_second, 448);
  EXPECT_EQ(facts.fp32_lanes_per_sm, 128);
  EXPECT_EQ(facts.l2_bytes, 4u << 20);
  const auto& prepare = std::get<PrepareRequest>(exchanges[1].request.what);
  ASSERT_EQ(prepare.launches.size(), 2u);
  EXPECT_EQ(prepare.launches[1].kernel, "scale");
  EXPECT_EQ(prepare.launches[1].parameters, (std::vector<uint32_t>{2, 4}));
  EXPECT_EQ(std::get<MatrixParameter>(prepare.parameters[1]), (MatrixParameter{'B', true}));
  EXPECT_EQ(prepare.gemm, (Gemm{64, 32, 16, 2, 0}));
  EXPECT_EQ(prepare.precision, Precision::bf16);
  const auto& prepared = std::get<Prepared>(exchanges[1].reply.what);
  EXPECT_EQ(prepared.handle, 1048577u);
  EXPECT_EQ(prepared.verification.largest_ratio, 0.125);
  EXPECT_EQ(std::get<TimeReply>(exchanges[2].reply.what), (TimeReply{0.5, 1695}));
  EXPECT_EQ(std::get<RunnerError>(exchanges[3].reply.what).kind, ErrorKind::no_library);
}

}  // namespace
}  // namespace gemmscope::gpu
