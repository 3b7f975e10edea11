#include "sections.hpp"

namespace loopcert {
namespace {

using Json = nlohmann::json;

Json column(const ColumnSpec& spec) {
  if (spec.factor == 1 && spec.zero == 0) return column_text(spec);
  Json written = {{"column", column_text(spec)}};
  if (spec.factor != 1) written["factor"] = spec.factor;
  if (spec.zero != 0) written["zero"] = spec.zero;
  return written;
}

Json columns(const std::vector<ColumnSpec>& specs) {
  Json list = Json::array();
  for (const ColumnSpec& spec : specs) list.push_back(column(spec));
  return list;
}

}  // namespace

Json data_section(const DataLayout& layout) {
  const bool outputs = layout.symbol == "y";
  const DataLayout usual = outputs ? DataLayout::of_outputs() : DataLayout();
  Json section = Json::object();
  if (!layout.states.empty()) section[outputs ? "outputs" : "states"] = columns(layout.states);
  if (!layout.inputs.empty()) section["inputs"] = columns(layout.inputs);
  if (!layout.disturbances.empty()) section["disturbances"] = columns(layout.disturbances);
  if (layout.long_rows) section["layout"] = "long";
  if (layout.pattern != usual.pattern) section["pattern"] = layout.pattern;
  if (!layout.episode.name.empty()) section["episode"] = column(layout.episode);
  if (!layout.step.name.empty()) section["step"] = column(layout.step);
  if (!layout.time.name.empty()) section["time"] = column(layout.time);
  if (layout.period > 0) section["period"] = layout.period;
  for (const Axis axis : layout.axes)
    section["axes"].push_back(axis_names()[static_cast<size_t>(axis)]);
  if (layout.x_name != usual.x_name) section["variables"][layout.symbol] = layout.x_name;
  if (layout.u_name != usual.u_name) section["variables"]["u"] = layout.u_name;
  if (layout.w_name != usual.w_name) section["variables"]["w"] = layout.w_name;
  if (layout.last_input) section["last_input"] = true;
  if (layout.longer != usual.longer)
    section["longer"] = longer_names()[static_cast<size_t>(layout.longer)];
  if (layout.gap > 0) section["gap"] = layout.gap;
  if (layout.keep_repeated) section["repeated"] = "keep";
  return section;
}

}  // namespace loopcert
