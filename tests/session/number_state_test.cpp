// The numbers to watch follow the results: a change shows the numbers before it until the next one.
#include "session/number_state.h"

#include "compile/compiler.h"
#include "session/app_commands.h"
#include "workspace_driver.h"

namespace gemmscope::session {
namespace {

using scenes::KeyNumber;

class Numbers : public testing::Test {
 protected:
  void start(const experiment::Experiment& first) {
    driver_ = std::make_unique<WorkspaceDriver>(first);
    ASSERT_TRUE(driver_->settle());
    ASSERT_TRUE(numbers().now);
  }
  void change(const std::function<void(experiment::Experiment&)>& what) {
    experiment::Experiment next = driver_->state().experiment;
    what(next);
    driver_->workspace().set_experiment(next);
    ASSERT_TRUE(driver_->settle());
  }
  NumberState& numbers() { return driver_->state().numbers; }
  scenes::KeyChange of(KeyNumber number) {
    return scenes::change_of(number, *numbers().now, numbers().before ? &*numbers().before : nullptr);
  }

  std::unique_ptr<WorkspaceDriver> driver_;
};

TEST_F(Numbers, OfTheBankLabBeforeAndAfter) {
  if (!compile::nvrtc_version()) GTEST_SKIP() << "no NVRTC";
  start(small_experiment("bank_conflicts", 256));
  EXPECT_FALSE(numbers().before) << "nothing has changed yet";
  EXPECT_EQ(of(KeyNumber::wavefronts).now, 67'584);
  EXPECT_EQ(of(KeyNumber::excess_wavefronts).now, 63'488);
  change([](auto& e) { e.toggles["PITCH"] = 33; });
  EXPECT_EQ(of(KeyNumber::wavefronts).now, 4'096);
  EXPECT_EQ(of(KeyNumber::wavefronts).before, 67'584);
  EXPECT_EQ(of(KeyNumber::excess_wavefronts).now, 0);
  EXPECT_EQ(scenes::factor_text(of(KeyNumber::wavefronts)), "\u00f716.5");
  change([](auto& e) { e.block = {3, 0, 0}; });
  EXPECT_EQ(of(KeyNumber::wavefronts).before, 67'584) << "another block of the same code is no change";
  change([](auto& e) { e.toggles["PITCH"] = 34; });
  EXPECT_EQ(of(KeyNumber::wavefronts).before, 4'096) << "the next change starts anew";
}

TEST_F(Numbers, AreForgottenByTheirCommand) {
  start(small_experiment("07_register_tile", 64));
  AppFlags flags;
  const CommandTable commands = make_commands(driver_->workspace(), flags);
  EXPECT_FALSE(commands.run("numbers.forget"));
  change([](auto& e) { e.problem.k = 128; });
  ASSERT_TRUE(numbers().before);
  EXPECT_TRUE(of(KeyNumber::warp_instructions).changed());
  EXPECT_TRUE(commands.run("numbers.forget"));
  EXPECT_FALSE(of(KeyNumber::warp_instructions).changed());
}

TEST_F(Numbers, LeadToTheInstructionThatContributesMost) {
  start(small_experiment("08_transposed_tile", 64));
  AppFlags flags;
  const CommandTable commands = make_commands(driver_->workspace(), flags);
  const auto opcode = [&] {
    return driver_->state().compiled->instructions[driver_->state().record().instruction].opcode;
  };
  ASSERT_TRUE(commands.run(number_command(KeyNumber::excess_wavefronts)));
  EXPECT_EQ(opcode(), isa::Opcode::sts);
  ASSERT_TRUE(commands.run(number_command(KeyNumber::flops)));
  EXPECT_EQ(opcode(), isa::Opcode::ffma);
  ASSERT_TRUE(commands.run(number_command(KeyNumber::global_sectors)));
  EXPECT_TRUE(opcode() == isa::Opcode::ldg || opcode() == isa::Opcode::stg);
  ASSERT_TRUE(commands.run(number_command(KeyNumber::spills)));
  EXPECT_EQ(driver_->state().note, "No instruction accesses local memory.");
  ASSERT_TRUE(commands.run(number_command(KeyNumber::registers)));
  EXPECT_EQ(driver_->state().note, "");
  ASSERT_TRUE(commands.run(number_command(KeyNumber::registers)));
  EXPECT_EQ(driver_->state().note, "The cursor is there already.");
  ASSERT_TRUE(commands.run(number_command(KeyNumber::blocks_per_sm)));
  EXPECT_EQ(driver_->state().note,
            "Registers limit the blocks on an SM: here is the first use of the highest.");
  for (int i = 0; i < scenes::kKeyNumbers; ++i)
    EXPECT_NE(commands.find(number_command(static_cast<KeyNumber>(i))), nullptr) << i;
}

TEST_F(Numbers, TakeTheRecordedTimeBeforeTheModelledOne) {
  start(small_experiment("07_register_tile", 64));
  ASSERT_TRUE(numbers().now->time) << "it is modelled";
  EXPECT_EQ(numbers().now->time->provenance, experiment::Provenance::modelled);
  experiment::Timings recording;
  recording.provenance = experiment::Provenance::recorded;
  recording.device.name = "NVIDIA H200";
  recording.problem = driver_->state().experiment.problem;
  experiment::TimedVariant variant;
  variant.id = "07_register_tile";
  variant.samples = {{0, 0.5, 0}, {1, 0.25, 0}, {2, 0.75, 0}};
  recording.variants = {variant};
  driver_->workspace().set_recordings({recording});
  driver_->frame();
  EXPECT_EQ(numbers().now->time->provenance, experiment::Provenance::recorded);
  EXPECT_EQ(numbers().now->time->ms, 0.5);
  change([](auto& e) { e.problem.k = 128; });
  EXPECT_EQ(numbers().now->time->provenance, experiment::Provenance::modelled) << "not recorded at this size";
  EXPECT_FALSE(of(KeyNumber::time).before) << "a recorded time and a modelled one are not compared";
}

}  // namespace
}  // namespace gemmscope::session
