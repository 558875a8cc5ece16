// How long a request's lines are and may take, and whether a reply can be one to it; for client.cpp.
#pragma once

#include <chrono>

#include "gpu/protocol.h"

namespace gemmscope::gpu {

// Of the bytes in base64 that a request carries, and its reply.
size_t request_bytes(const RunRequest& request);
size_t reply_bytes(const RunRequest& request);
size_t request_bytes(const PrepareRequest& request);

// What the runner needs for the matrices and their float64 product, on a slow GPU or its computer's CPU.
std::chrono::milliseconds reference_time(const Gemm& gemm);

// garbage: a reply that this version's decoder takes, but to another question, or with numbers that no
// measurement gives.
Outcome<void> check_reply(const RunRequest& request, const RunReply& reply);
Outcome<void> check_reply(const Prepared& reply);
Outcome<void> check_reply(const TimeReply& reply);

}  // namespace gemmscope::gpu
