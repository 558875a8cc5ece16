// For client.cpp: how long a request's lines are, how long they may take, and whether a reply fits a request.
#pragma once

#include <chrono>

#include "gpu/protocol.h"

namespace gemmscope::gpu {

// Lengths of the base64 text that a request, or its reply, carries.
size_t request_bytes(const RunRequest& request);
size_t reply_bytes(const RunRequest& request);
size_t request_bytes(const PrepareRequest& request);

// Time that the runner may need for the matrices and their float64 product, on a slow GPU or on the CPU.
std::chrono::milliseconds reference_time(const Gemm& gemm);

// Error: garbage, for a reply that decodes but answers a different question or has numbers that no
// measurement gives.
Outcome<void> check_reply(const RunRequest& request, const RunReply& reply);
Outcome<void> check_reply(const Prepared& reply);
Outcome<void> check_reply(const TimeReply& reply);

}  // namespace gemmscope::gpu
