// A user's kernel takes in sources, and no other file of the computer.
#include "cuda_text/include_guard.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "cuda_text/include_directives.h"

namespace gemmscope::cuda_text {
namespace {

namespace fs = std::filesystem;
using Form = IncludeDirective::Form;

class IncludeGuard : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / fmt::format("gemmscope-guard-{}", getpid());
    fs::remove_all(root_);
    for (const char* folder : {"course/kernels/parts", "course/common", "home"})
      fs::create_directories(root_ / folder);
    write("course/kernels/tile.cuh", "#include \"parts/deep.cuh\"\n");
    write("course/kernels/parts/deep.cuh", "#define TILE 16\n");
    write("course/kernels/table.txt", "1, 2, 3\n");
    write("course/common/helper.cuh", "#include \"../../home/key\"\n");
    write("course/common/good.cuh", "\n");
    write("home/key", "a secret\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const char* name, const char* text) { std::ofstream(root_ / name) << text; }
  std::string says(const std::string& text) const {
    const fs::path folder = root_ / "course/kernels";
    const Result<void> checked = check_includes(text, folder / "k.cu", {folder, folder / "../include"});
    return checked ? "" : checked.error().message;
  }

  fs::path root_;
};

TEST_F(IncludeGuard, SourcesOfTheFolderBesideItAndOfTheToolkitAreAllowed) {
  for (const char* text :
       {"", "#include \"tile.cuh\"\n", "#include <tile.cuh>\n", "#include \"table.txt\"\n",
        "#include <cuda_fp16.h>\n#include <cooperative_groups/reduce.h>\n", "#include \"not_there.h\"\n",
        "#include \"../common/good.cuh\"\n", "// #include \"/etc/passwd\"\n"})
    EXPECT_EQ(says(text), "") << text;
}

TEST_F(IncludeGuard, OtherFilesAreRefusedWithTheirLine) {
  fs::create_symlink("/etc/passwd", root_ / "course/kernels/linked.cuh");
  fs::create_symlink("/dev/zero", root_ / "course/kernels/endless.cuh");
  for (const char* text : {
           "#include \"/etc/passwd\"\n",
           "#include </etc/passwd>\n",
           "#include \"/usr/include/stdio.h\"\n",
           "#include \"../../home/key\"\n",
           "#include \"../common/helper.cuh\"\n",
           "#include <../../../../../../etc/passwd>\n",
           "#include \"../not_there.h\"\n",
           "#include \"linked.cuh\"\n",
           "#include \"endless.cuh\"\n",
           "#include \"/dev/zero\"\n",
           "%:include \"/dev/zero\"\n",
           "?\?=include \"/dev/zero\"\n",
           "#inc\\\nlude \"/dev/zero\"\n",
           "/* a\n*/ # /* b */ include /**/ \"/etc/hosts\"\n",
           "#include_next </etc/passwd>\n",
       })
    EXPECT_NE(says(text).find("put a copy beside the kernel"), std::string::npos) << text << says(text);
  EXPECT_EQ(
      says("\n\n#include \"/etc/passwd\"\n"),
      "Line 3 of k.cu includes \"/etc/passwd\", which lies outside the kernel's folder and is no header of "
      "the toolkit; put a copy beside the kernel.");
  EXPECT_EQ(says("#include \"../common/helper.cuh\"\n").substr(0, 21), "Line 1 of helper.cuh ");
  EXPECT_EQ(says("#define F \"/etc/passwd\"\n#include F\n"),
            "Line 2 of k.cu includes a file that a macro names; write the file's name.");
  EXPECT_NE(says("#embed \"/etc/passwd\"\n").find("embeds"), std::string::npos);
}

TEST(IncludeDirectives, KeepTheirLines) {
  const auto found = include_directives("#inc\\\nlude <a>\n\\\n\n#include \"b\"\n#include M\n#embed \"c\"\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].form, Form::angled);
  EXPECT_EQ(found[0].name, "a");
  EXPECT_EQ(found[1].form, Form::quoted);
  EXPECT_EQ(found[1].line, 5);
  EXPECT_EQ(found[2].form, Form::unclear);
  EXPECT_EQ(found[3].form, Form::embedded);
  EXPECT_EQ(found[3].line, 7);
}

}  // namespace
}  // namespace gemmscope::cuda_text
