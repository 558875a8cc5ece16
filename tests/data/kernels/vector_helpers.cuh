#pragma once
// Helpers that host code could use as well.
inline float element(const float4 &v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }
