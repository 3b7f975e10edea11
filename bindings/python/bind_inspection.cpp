// Room inspection: what the data say against assumptions and model.
#include "inspection/inspection.hpp"

#include "bind.hpp"

namespace loopcert::python {

void bind_inspection(py::module_& module) { module.def("inspection_notice", &inspection_notice); }

}  // namespace loopcert::python
