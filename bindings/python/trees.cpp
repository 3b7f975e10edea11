#include "bind.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert::python {

using Json = nlohmann::json;

py::object to_python(const Json& tree) {
  switch (tree.type()) {
    case Json::value_t::boolean:
      return py::bool_(tree.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(tree.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(tree.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(tree.get<double>());
    case Json::value_t::string:
      return py::str(tree.get_ref<const std::string&>());
    case Json::value_t::array: {
      py::list list(tree.size());
      for (std::size_t i = 0; i < tree.size(); ++i) list[i] = to_python(tree[i]);
      return list;
    }
    case Json::value_t::object: {
      py::dict dict;
      for (const auto& [key, value] : tree.items()) dict[py::str(key)] = to_python(value);
      return dict;
    }
    default:
      return py::none();
  }
}

Json from_python(const py::handle& object, const std::string& place) {
  if (object.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(object)) return object.cast<bool>();
  if (py::isinstance<py::int_>(object)) {
    // Beyond 64 bits it is a number all the same.
    if (const auto value = PyLong_AsLongLong(object.ptr()); !PyErr_Occurred()) return value;
    PyErr_Clear();
    return PyFloat_AsDouble(py::float_(py::reinterpret_borrow<py::object>(object)).ptr());
  }
  if (py::isinstance<py::float_>(object)) return object.cast<double>();
  if (py::isinstance<py::str>(object)) return object.cast<std::string>();
  if (py::isinstance<py::dict>(object)) {
    Json tree = Json::object();
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      const std::string name = py::str(key);
      tree[name] = from_python(value, place.empty() ? name : place + "." + name);
    }
    return tree;
  }
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    Json list = Json::array();
    for (const py::handle& item : py::reinterpret_borrow<py::sequence>(object))
      list.push_back(from_python(item, place));
    return list;
  }
  // Arrays and scalars of NumPy, and what looks like them.
  if (py::hasattr(object, "tolist")) return from_python(object.attr("tolist")(), place);
  throw_input_error(
      place, "an object of type " + std::string(py::str(py::type::of(object).attr("__name__"))),
      "numbers, texts, lists, tables or arrays");
}

}  // namespace loopcert::python
