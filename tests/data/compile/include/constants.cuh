constexpr float kFactor = 5.0f;
