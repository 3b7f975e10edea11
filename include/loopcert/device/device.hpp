// A GPU that learning may use: which there is, and whether it may.
#pragma once

#include <optional>
#include <string>

namespace loopcert {

// Whether there is a GPU, and where not, why: one sentence without an end.
struct FoundDevice {
  bool found = false;
  std::string name;
  std::string plugin;  // the file
  std::string why;
  double memory_bytes = 0, free_bytes = 0;
};
FoundDevice find_device();

// automatic: the GPU where there is one and it pays.
enum class DeviceChoice { automatic, cpu, gpu };

// "auto", "cpu" or "gpu"; throws InputError, which calls the name `place`.
DeviceChoice device_choice_from(const std::string& name, const std::string& place);
std::string device_choice_name(DeviceChoice choice);
// The same; throws also where it is "gpu" and there is none.
DeviceChoice usable_device(const std::string& name, const std::string& place);

// What computations may use: of the whole process, and of this thread until a scope ends.
void choose_device(DeviceChoice choice);
class DeviceScope {
 public:
  explicit DeviceScope(DeviceChoice choice);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  std::optional<DeviceChoice> before_;
};
DeviceChoice device_choice();

}  // namespace loopcert
