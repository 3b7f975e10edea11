// HDF5, and MATLAB 7.3 which is HDF5. What lies in other files is never followed.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>

#include "formats.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::importer {
namespace {

// Closes what was opened when the scope ends.
struct Handle {
  hid_t id = -1;
  herr_t (*close)(hid_t) = nullptr;

  Handle(hid_t opened, herr_t (*closer)(hid_t)) : id(opened), close(closer) {}
  ~Handle() {
    if (id >= 0) close(id);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  bool good() const { return id >= 0; }
};

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> names_in(hid_t file) {
  std::vector<std::string> names;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add_name, &names);
  return names;
}

// Every step of group/…/name is a plain link inside this file.
bool has(hid_t file, const std::string& name) {
  for (size_t slash = name.find('/');; slash = name.find('/', slash + 1)) {
    const std::string part = name.substr(0, slash);
    if (part.empty() || H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t info;
    if (H5Lget_info(file, part.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
      throw InputError(name + ": a link to elsewhere; only values in this file are read");
    if (slash == name.npos) return true;
  }
}

void check_storage(hid_t data, const std::string& name) {
  const Handle plist(H5Dget_create_plist(data), H5Pclose);
  if (!plist.good()) throw InputError(name + ": the data set is damaged");
  if (H5Pget_layout(plist.id) == H5D_VIRTUAL || H5Pget_external_count(plist.id) != 0)
    throw InputError(name + ": its values are in other files; only values in this file are read");
}

void check_type(hid_t data, const std::string& name) {
  const Handle type(H5Dget_type(data), H5Tclose);
  const H5T_class_t kind = type.good() ? H5Tget_class(type.id) : H5T_NO_CLASS;
  if (kind == H5T_FLOAT || kind == H5T_INTEGER) return;
  throw_input_error(name,
                    kind == H5T_COMPOUND ? "complex numbers or records"
                    : kind == H5T_STRING ? "text"
                                         : "values that are not numbers",
                    "an array of real numbers");
}

// MATLAB marks what an array of integers really is, and arrays without entries.
void check_matlab(hid_t data, const std::string& name) {
  if (H5Aexists(data, "MATLAB_sparse") > 0)
    throw_input_error(name, "a sparse matrix", "an array of real numbers");
  if (H5Aexists(data, "MATLAB_empty") > 0) throw_input_error(name, "an empty array", "numbers");
  if (H5Aexists(data, "MATLAB_int_decode") > 0)
    throw_input_error(name, "text or logical values", "numbers");
}

std::vector<std::uint64_t> shape_of(hid_t data, const std::string& name) {
  const Handle space(H5Dget_space(data), H5Sclose);
  const int rank = space.good() ? H5Sget_simple_extent_ndims(space.id) : -1;
  if (rank < 1 || rank > 3) throw_input_error(name, fmt::format("{} axes", rank), "1 to 3");
  std::vector<hsize_t> extents(static_cast<size_t>(rank));
  if (H5Sget_simple_extent_dims(space.id, extents.data(), nullptr) != rank)
    throw InputError(name + ": its shape is damaged");
  return {extents.begin(), extents.end()};
}

Array read_data(hid_t file, const std::string& name, std::uint64_t bytes, bool matlab) {
  H5O_info_t info;
  if (H5Oget_info_by_name(file, name.c_str(), &info, H5P_DEFAULT) < 0)
    throw InputError(name + ": the object is damaged");
  if (info.type != H5O_TYPE_DATASET)
    throw_input_error(name, matlab ? "a struct" : "a group", "an array of real numbers");
  const Handle data(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.good()) throw InputError(name + ": the data set is damaged");
  check_storage(data.id, name);
  check_type(data.id, name);
  if (matlab) check_matlab(data.id, name);
  const std::vector<std::uint64_t> shape = shape_of(data.id, name);
  check_shape(name, shape, bytes);
  size_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  std::vector<double> values(count);
  if (count > 0 &&
      H5Dread(data.id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    throw InputError(fmt::format("{}: its {} values are damaged or missing", name, count));
  Array array;
  if (matlab) return from_column_major({shape.rbegin(), shape.rend()}, values);
  array.shape.assign(shape.begin(), shape.end());
  array.values = std::move(values);
  return array;
}

}  // namespace

NamedArrays read_hdf5(const std::string& path, const std::vector<std::string>& wanted,
                      std::uint64_t bytes, bool matlab) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to report
  H5PLset_loading_state(0);                     // no code from elsewhere
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.good()) throw InputError("the file is damaged: HDF5 cannot open it");
  NamedArrays arrays;
  for (const std::string& name : wanted)
    if (has(file.id, name)) arrays.emplace(name, read_data(file.id, name, bytes, matlab));
  if (arrays.empty()) throw_none(wanted, names_in(file.id));
  return arrays;
}

}  // namespace loopcert::importer
