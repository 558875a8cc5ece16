// For protocol.cpp: writes and reads the members of the lines that carry timing_protocol.h.
#pragma once

#include "gpu/members.h"

namespace gemmscope::gpu {

json add_request(json line, const PrepareRequest& request);
json add_request(json line, const PrepareLibraryRequest& request);
json add_request(json line, const TimeRequest& request);
json add_request(json line, const ReleaseRequest& request);

void add_reply(json& line, const Prepared& prepared);
void add_reply(json& line, const TimeReply& reply);
void add_reply(json& line, const Released& released);

PrepareRequest read_prepare_request(Members& members, std::string& problem);
PrepareLibraryRequest read_prepare_library_request(Members& members, std::string& problem);
TimeRequest read_time_request(Members& members);
Prepared read_prepared(const json& object, std::string& problem);
TimeReply read_time_reply(const json& object, std::string& problem);

}  // namespace gemmscope::gpu
