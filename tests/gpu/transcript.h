// Recorded conversations with a runner.
#pragma once

#include <fstream>

#include "fake_runner.h"

namespace gemmscope::gpu {

inline std::filesystem::path transcript_folder() {
  return std::filesystem::path(GEMMSCOPE_TEST_DATA) / "gpu";
}

struct Exchange {
  Request request;
  Reply reply;
};
inline std::vector<Exchange> read_transcript(const std::filesystem::path& path) {
  std::vector<Exchange> exchanges;
  std::ifstream file(path);
  for (std::string asked, answered; std::getline(file, asked) && std::getline(file, answered);) {
    const auto request = decode_request(asked.substr(1));
    const auto reply = decode_reply(answered.substr(1));
    EXPECT_TRUE(asked.starts_with('>') && request.has_value()) << path;
    EXPECT_TRUE(answered.starts_with('<') && reply.has_value()) << path;
    if (request && reply) exchanges.push_back({*request, *reply});
  }
  return exchanges;
}

}  // namespace gemmscope::gpu
