// What a textbook's profiler saw, beside the model: every figure is computed, in the direction that the
// machine code allows.
#include "experiment/published_deltas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiment/devices.h"

namespace gemmscope::experiment {
namespace {

class PublishedDeltas : public testing::Test {
 protected:
  static const std::vector<ModelledDelta>& rows() {
    static const std::vector<ModelledDelta> modelled =
        model_deltas(catalog::read_catalog(catalog::kernels_folder()), find_device(kPublishedDevice).value());
    return modelled;
  }
  static const ModelledDelta& row(const std::string& id) {
    return *std::ranges::find_if(rows(), [&](const ModelledDelta& r) { return id == r.published->id; });
  }
};

TEST_F(PublishedDeltas, AreAllModelled) {
  ASSERT_EQ(rows().size(), published_deltas().size());
  std::set<std::string> ids;
  for (const ModelledDelta& row : rows()) {
    EXPECT_TRUE(ids.insert(row.published->id).second);
    EXPECT_EQ(row.trouble, "");
    EXPECT_GT(row.before, 0) << row.published->name;
    EXPECT_TRUE(row.change().has_value());
  }
}

TEST_F(PublishedDeltas, GoTheWayOfTheBook) {
  for (const char* id : {"lg_throttle", "sm_use", "short_scoreboard", "long_scoreboard"})
    EXPECT_GT(*row(id).change() * row(id).published->change, 0) << id;
  EXPECT_LT(std::abs(*row("achieved_occupancy").change()), 0.2)
      << "both kernels have as many blocks on an SM";
}

// The figure of a side is that of the model's report, in the book's unit.
TEST_F(PublishedDeltas, AreInTheUnitThatTheyName) {
  EXPECT_LT(row("sm_use").after, 100);
  EXPECT_GT(row("sm_use").after, 1) << "percent, not a share";
  EXPECT_LE(row("achieved_occupancy").before, 100 / 3.0 + 1) << "two blocks of 8 warps of 48";
}

TEST(ModelledDelta, HasNoChangeFromNothing) {
  const PublishedDelta& any = published_deltas().front();
  EXPECT_FALSE((ModelledDelta{&any, 0, 1, ""}.change()));
  EXPECT_FALSE((ModelledDelta{&any, 1, 2, "It does not fit."}.change()));
  EXPECT_DOUBLE_EQ((ModelledDelta{&any, 2, 1, ""}.change().value()), -0.5);
}

}  // namespace
}  // namespace gemmscope::experiment
