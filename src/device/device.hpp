// Another device than the processor, found at run time: a plugin (plugin_api.h) that a file beside
// the program brings. Nothing here needs the libraries that the plugin is made with.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "device/plugin_api.h"
#include "loopcert/device/device.hpp"

namespace loopcert {

// The device failed: out of its memory, or for good.
class DeviceError : public std::runtime_error {
 public:
  DeviceError(const std::string& message, bool memory)
      : std::runtime_error(message), out_of_memory(memory) {}
  bool out_of_memory;
};

// An open device. Used by one thread at a time.
class Device {
 public:
  Device(const lc_plugin& functions, lc_device* handle);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const lc_plugin& call() const { return functions_; }
  lc_device* handle() const { return handle_; }
  const std::string& name() const { return name_; }
  double free_bytes();

  // Throws for every status but LC_OK: DeviceError, or NumericsError (not definite).
  void check(int status);
  bool lost() const { return lost_; }

 private:
  const lc_plugin& functions_;
  lc_device* handle_;
  std::string name_;
  bool lost_ = false;
};

// For the caller alone until it lets go; kept open for the next one. Null where there is none.
std::shared_ptr<Device> take_device(std::string* why = nullptr);

}  // namespace loopcert
