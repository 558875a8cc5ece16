// Pictures one after the other: as files, and as films where ffmpeg is installed.
#include "shell/picture_sequence.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "shell/film.h"
#include "shell/find_program.h"
#include "shell/picture_clipboard.h"

namespace gemmscope::shell {
namespace {

namespace fs = std::filesystem;

class PictureSequenceTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("gemmscope-sequence-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Image picture(int number, PixelSize size = {65, 33}) {
    Image image{size, {}};
    image.pixels.assign(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 3,
                        static_cast<unsigned char>(number * 20));
    return image;
  }
  std::string bytes_of(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  Result<void> write(const std::string& name, int pictures) const {
    auto sequence = PictureSequence::create((folder_ / name).string(), {65, 33}, 10);
    if (!sequence) return tl::unexpected(sequence.error());
    for (int i = 0; i < pictures; ++i)
      if (Result<void> added = (*sequence)->add(picture(i)); !added) return added;
    return (*sequence)->finish();
  }

  fs::path folder_;
};

TEST_F(PictureSequenceTest, FilesAreNumbered) {
  ASSERT_TRUE(write("way.png", 3));
  EXPECT_TRUE(fs::exists(folder_ / "way-0001.png"));
  EXPECT_TRUE(fs::exists(folder_ / "way-0003.png"));
  EXPECT_FALSE(fs::exists(folder_ / "way-0004.png"));
  EXPECT_EQ(bytes_of("way-0002.png").substr(1, 3), "PNG");
}

TEST_F(PictureSequenceTest, OtherEndsAreRefused) {
  for (const char* name : {"way", "way.exe", "way.mp4.sh"}) {
    const auto written = write(name, 1);
    ASSERT_FALSE(written) << name;
    EXPECT_NE(written.error().message.find(name), std::string::npos);
  }
}

TEST_F(PictureSequenceTest, WithoutFfmpegASentenceSaysWhatToInstall) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const auto written = write("way.gif", 1);
  const Result<void> copied = copy_picture(picture(1));
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("package ffmpeg"), std::string::npos) << written.error().message;
  ASSERT_FALSE(copied);
  EXPECT_NE(copied.error().message.find("install xclip"), std::string::npos) << copied.error().message;
}

TEST_F(PictureSequenceTest, FilmsAreWrittenWhole) {
  if (!find_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  const auto gif = write("way.gif", 12);
  ASSERT_TRUE(gif) << gif.error().message;
  EXPECT_EQ(bytes_of("way.gif").substr(0, 6), "GIF89a");
  const auto mp4 = write("-way%03d.mp4", 12);  // no option and no pattern of ffmpeg's
  ASSERT_TRUE(mp4) << mp4.error().message;
  EXPECT_EQ(bytes_of("-way%03d.mp4").substr(4, 4), "ftyp");
  for (const auto& entry : fs::directory_iterator(folder_)) EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(PictureSequenceTest, AFilmThatIsNotFinishedLeavesNothing) {
  if (!find_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  {
    auto sequence = PictureSequence::create((folder_ / "way.mp4").string(), {65, 33}, 10);
    ASSERT_TRUE(sequence) << sequence.error().message;
    ASSERT_TRUE((*sequence)->add(picture(1)));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(PictureSequenceTest, PicturesThatAreNotFinishedLeaveNothing) {
  {
    auto sequence = PictureSequence::create((folder_ / "way.png").string(), {65, 33}, 10);
    ASSERT_TRUE(sequence) << sequence.error().message;
    ASSERT_TRUE((*sequence)->add(picture(1)));
    ASSERT_TRUE((*sequence)->add(picture(2)));
    EXPECT_TRUE(fs::exists(folder_ / "way-0002.png"));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

// Somebody who cancels wants no film of the first pictures that looks like the whole one.
TEST_F(PictureSequenceTest, WhatIsCancelledLeavesNothing) {
  if (!find_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  for (const char* name : {"way.gif", "way.mp4", "way.png"}) {
    PictureQueue queue;
    for (int i = 0; i < 3; ++i) queue.push(picture(i));
    queue.close();
    std::atomic<bool> cancelled = false;
    int written = 0;
    const auto cancel_after_two = [&] { cancelled = ++written == 2; };
    EXPECT_FALSE(write_film(queue, folder_ / name, 10, cancel_after_two, cancelled)) << name;
    EXPECT_EQ(written, 2);
    EXPECT_TRUE(fs::is_empty(folder_)) << name;
  }
}

TEST_F(PictureSequenceTest, WhatFfmpegRefusesIsSaid) {
  if (!find_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  const auto written = write("no/such/folder/way.mp4", 2);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("way.mp4"), std::string::npos) << written.error().message;
}

}  // namespace
}  // namespace gemmscope::shell
