#include "data/formats.hpp"

#include <gtest/gtest.h>

#include "data/csv.hpp"
#include "data/mat.hpp"
#include "data/npy.hpp"
#include "input_error.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "random_system.hpp"
#include "temp_folder.hpp"

namespace loopcert {
namespace {

using testing::contains;
using testing::input_error;
using testing::TempFolder;

const Sizes sizes = state_feedback(2, 1, 3);  // d_w = 8, d_u = 3

TEST(Array, AndMatrixAreTheSameNumbers) {
  const Matrix matrix = testing::random_matrix(3, 4, 1);
  const Array array = array_from_matrix(matrix);
  EXPECT_EQ(array.shape, (std::vector<Index>{3, 4}));
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 4; ++j)
      EXPECT_EQ(array.values[static_cast<size_t>(4 * i + j)], matrix(i, j));
  EXPECT_EQ(matrix_from_array(array), matrix);
  EXPECT_TRUE(contains(input_error([] {
                         matrix_from_array({{4}, {1, 2, 3, 4}, {}});
                       }),
                       "found 4 (1 axis), expected two axes"));
}

TEST(TrajectoryColumnNames, CountStatesThenSteps) {
  const std::vector<std::string> expected = {"x0_0", "x0_1", "w0_0", "w0_1",
                                             "w1_0", "w1_1", "w2_0", "w2_1"};
  EXPECT_EQ(trajectory_column_names(sizes), expected);
}

TEST(Trajectories, ReadBackFromEveryFormat) {
  const TempFolder folder;
  const Disturbances data{testing::random_matrix(5, sizes.d_w(), 2)};
  for (const ArrayFormat& format : array_formats()) {
    if (!format.writes()) continue;
    const auto path = folder / ("w" + format.extension);
    write_disturbances(path, data, sizes);
    EXPECT_EQ(read_disturbances(path, sizes).w, data.w) << format.extension;
  }
  const auto upper = folder / "W.CSV";
  write_disturbances(upper, data, sizes);
  EXPECT_EQ(read_disturbances(upper, sizes).w, data.w);
}

TEST(Trajectories, MayHaveAnAxisForTheSteps) {
  const TempFolder folder;
  Array array = array_from_matrix(testing::random_matrix(5, 8, 3));
  const Matrix expected = matrix_from_array(array);
  array.shape = {5, 4, 2};
  write_npy(folder / "w.npy", array);
  EXPECT_EQ(read_disturbances(folder / "w.npy", sizes).w, expected);
  for (const std::vector<Index>& shape :
       {std::vector<Index>{5, 2, 4}, {4, 5, 2}, {40}, {5, 8, 1}}) {
    array.shape = shape;
    write_npy(folder / "bad.npy", array);
    const std::string message = input_error([&] { read_disturbances(folder / "bad.npy", sizes); });
    EXPECT_TRUE(contains(message, "bad.npy: shape: found " + shape_text(shape))) << message;
    EXPECT_TRUE(contains(message, "expected n x 8 or n x 4 x 2")) << message;
  }
}

std::string error_of(const std::string& name, const std::string& content) {
  const TempFolder folder;
  const auto path = folder.write(name, content);
  const std::string message = input_error([&] { read_disturbances(path, sizes); });
  EXPECT_TRUE(message.empty() || contains(message, path.string() + ": "));
  return message;
}

TEST(ReadDisturbances, RefusesColumnsThatMeanSomethingElse) {
  const std::string row = "\n1,2,3,4,5,6,7,8\n";
  EXPECT_EQ(error_of("w.csv", "x0_0,x0_1,w0_0,w0_1,w1_0,w1_1,w2_0,w2_1" + row), "");
  EXPECT_EQ(error_of("w.csv", "a,b,c,d,e,f,g,h" + row), "");  // free names are fine
  EXPECT_TRUE(contains(error_of("w.csv", "x0_0,x0_1,w1_0,w0_1,w0_0,w1_1,w2_0,w2_1" + row),
                       "row 1, column 3: found w1_0, expected w0_0: the columns are out of order"));
  // Some of our names, but not as we would write them for any system: free names again.
  EXPECT_EQ(error_of("w.csv", "x0_0,x0_1,x0_2,d,e,f,g,h" + row), "");
  EXPECT_EQ(error_of("w.csv", "x0_0,x0_1,x0_2,x0_3,e,f,g,h" + row), "");
  EXPECT_TRUE(contains(error_of("w.csv", "x0_0,x0_1,x0_2,x0_3,w0_0,w0_1,w0_2,w0_3" + row),
                       "found names for n_x = 4 and T = 1, expected n_x = 2 and T = 3"));
}

TEST(ReadDisturbances, RefusesTheWrongSize) {
  EXPECT_TRUE(contains(error_of("w.csv", "a,b\n1,2\n"), "shape: found 1 x 2 (2 axes), expected"));
  EXPECT_TRUE(contains(error_of("w.csv", "a,b,c,d,e,f,g,h\n"), "rows: found 0, expected at least"));
  const auto bytes = [](Index rows, Index cols) {
    return format_npy(array_from_matrix(Matrix::Zero(rows, cols)));
  };
  EXPECT_TRUE(contains(error_of("w.npy", bytes(8, 8)), "data.axes to say which"));
  EXPECT_TRUE(contains(error_of("w.npy", bytes(8, 5)), "reads as step x component x episode"));
  EXPECT_FALSE(contains(error_of("w.npy", bytes(7, 5)), "reads as"));
  EXPECT_TRUE(contains(error_of("w.npy", bytes(0, 8)), "rows: found 0"));
}

TEST(ReadArray, NamesTheFileAndTheKnownExtensions) {
  EXPECT_TRUE(
      contains(error_of("w.txt", "a\n1\n"), "found the extension .txt, expected .csv, .npy, .npz"));
  EXPECT_TRUE(contains(error_of("w", "a\n1\n"), "found no extension"));
  EXPECT_TRUE(contains(error_of("w.npy", "a,b\n1,2\n"), "npy start: found 'a,b"));
  const TempFolder folder;
  EXPECT_TRUE(contains(input_error([&] { read_array(folder / "none.csv"); }), "none.csv: "));
  std::filesystem::create_directory(folder / "folder.csv");
  EXPECT_TRUE(contains(input_error([&] { read_array(folder / "folder.csv"); }), "folder.csv: "));
  EXPECT_THROW(write_array(folder / "no" / "such" / "w.csv", {{1, 1}, {0}, {}}), OutputError);
  EXPECT_TRUE(contains(input_error([&] {
                         write_array(folder / "w.xls", {{1, 1}, {0}, {}});
                       }),
                       "found the extension .xls"));
  EXPECT_TRUE(contains(input_error([&] {
                         write_array(folder / "w.h5", {{1, 1}, {0}, {}});
                       }),
                       "found the extension .h5, which is only read, expected .csv, .npy, .npz"));
}

TEST(ReadArray, FindsANamedOne) {
  const TempFolder folder;
  write_array(folder / "a.npz", {{2}, {3, 4}, {}}, "v");
  EXPECT_EQ(read_array(folder / "a.npz", "v").values, (std::vector<double>{3, 4}));
  EXPECT_TRUE(contains(
      input_error([&] { read_array(folder / "a.npz", "w"); }),
      "a.npz: variables: no w among v; data.variables in the problem file says which are meant"));
  write_npz(folder / "none.npz", {});
  EXPECT_TRUE(contains(input_error([&] { read_array(folder / "none.npz", "w"); }),
                       "none.npz: variables: no w, the file contains none"));
  NamedArrays many;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i"})
    many[name] = {{1}, {0}, {}};
  write_npz(folder / "many.npz", many);
  EXPECT_TRUE(
      contains(input_error([&] { read_array(folder / "many.npz", "w"); }),
               "many.npz: variables: no w among a, b, c, d, e, f, g, h, i; data.variables"));
}

// MATLAB could not say the name of such a variable.
TEST(FormatMat, RefusesNamesThatAreNotMatlabs) {
  const Array array{{1}, {1}, {}};
  EXPECT_EQ(input_error([&] { format_mat({{"a_1", array}}); }), "");
  for (const std::string& name : {std::string(), std::string("1a"), std::string("_a"),
                                  std::string("a-b"), std::string(32, 'a')})
    EXPECT_EQ(input_error([&] {
                format_mat({{name, array}});
              }),
              "array name: found '" + name + "', expected a MATLAB name of at most 31 letters");
}

TEST(ReadArray, RefusesAHugeFileBeforeReadingIt) {
  const TempFolder folder;
  const auto path = folder.write("w.csv", "a\n");
  std::filesystem::resize_file(path, (std::uintmax_t{4} << 30) + 1);  // sparse: takes no space
  EXPECT_TRUE(contains(input_error([&] { read_array(path); }), "found 4294967297 bytes"));
}

TEST(ReadRollouts, TakesTwoFiles) {
  const TempFolder folder;
  Array x = array_from_matrix(testing::random_matrix(6, 8, 4));
  Array u = array_from_matrix(testing::random_matrix(6, 3, 5));
  write_csv(folder / "x.csv", x);
  write_csv(folder / "u.csv", u);
  const Matrix x_rows = matrix_from_array(x);
  x.shape = {6, 4, 2};
  u.shape = {6, 3, 1};
  write_npy(folder / "x.npy", x);
  write_npy(folder / "u.npy", u);
  Plant plant;
  plant.T = sizes.T;
  plant.A = {Matrix::Identity(2, 2)};
  plant.B = {Matrix::Ones(2, 1)};
  for (const std::string kind : {".csv", ".npy"}) {
    const Rollouts rollouts =
        read_rollouts({folder / ("x" + kind), folder / ("u" + kind)}, {}, plant);
    EXPECT_EQ(rollouts.x, x_rows);
    EXPECT_EQ(rollouts.u.rows(), 6);
    EXPECT_EQ(rollouts.u(4, 1), u.values[13]);
  }
  const auto message = [&](const std::string& x_name, const std::string& u_name) {
    return input_error([&] { read_rollouts({folder / x_name, folder / u_name}, {}, plant); });
  };
  EXPECT_TRUE(contains(message("u.csv", "u.csv"), "u.csv: shape: found 6 x 3 (2 axes), expected"));
  EXPECT_TRUE(contains(message("x.npy", "x.npy"), "expected n x 3 or n x 3 x 1"));
  write_csv(folder / "short.csv", array_from_matrix(Matrix::Zero(5, 3)));
  EXPECT_TRUE(contains(message("x.csv", "short.csv"),
                       "short.csv: inputs: found 5 episodes, expected 6 as the states have"));
}

}  // namespace
}  // namespace loopcert
