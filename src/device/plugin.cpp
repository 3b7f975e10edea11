// Finding and loading the plugin: $LOOPCERT_GPU_PLUGIN, or libloopcert_cuda.so beside this code
// (the program or the Python module), in ../lib/loopcert from there, or where it was installed.
// Never from a folder that only the loader knows.
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <vector>

#include "device/device.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

constexpr const char* plugin_name = "libloopcert_cuda.so";

fs::path folder_of_this_code() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(&folder_of_this_code), &info) || !info.dli_fname) return {};
  std::error_code error;
  fs::path file = info.dli_fname;
  // A program is known by the name it was called by.
  if (!file.is_absolute() || !fs::exists(file, error))
    file = fs::read_symlink("/proc/self/exe", error);
  return fs::canonical(file, error).parent_path();
}

std::vector<fs::path> places() {
  if (const char* named = std::getenv("LOOPCERT_GPU_PLUGIN"); named && *named)
    return {fs::absolute(named)};
  std::vector<fs::path> list;
  const fs::path here = folder_of_this_code();
  if (!here.empty()) {
    list.push_back(here / plugin_name);
    list.push_back(here / "../lib/loopcert" / plugin_name);
  }
#ifdef LOOPCERT_INSTALLED_PLUGIN
  list.emplace_back(LOOPCERT_INSTALLED_PLUGIN);
#endif
  return list;
}

struct Loaded {
  const lc_plugin* functions = nullptr;
  std::string file, why;
};

Loaded load_plugin() {
  Loaded loaded;
  std::error_code error;
  for (const fs::path& place : places())
    if (loaded.file.empty() && fs::is_regular_file(place, error)) loaded.file = place.string();
  if (loaded.file.empty()) {
    loaded.why = std::string("no ") + plugin_name +
                 " beside this program: it is built where CUDA's compiler is";
    return loaded;
  }
  void* library = ::dlopen(loaded.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* text = ::dlerror();
    loaded.why =
        std::string("the plugin cannot be loaded") + (text ? std::string(": ") + text : "");
    return loaded;
  }
  const auto entry = reinterpret_cast<lc_plugin_entry>(::dlsym(library, LC_PLUGIN_ENTRY));
  const lc_plugin* functions = entry ? entry() : nullptr;
  if (!functions || functions->version != LC_PLUGIN_VERSION)
    loaded.why = loaded.file + " belongs to another version of loopcert";
  else
    loaded.functions = functions;
  return loaded;
}

// Loaded once; open devices that nobody uses. Never taken down: what a plugin's library cleans up
// at the end of a process would go first.
struct Pool {
  std::mutex mutex;
  Loaded plugin;
  std::vector<std::unique_ptr<Device>> idle;
};
Pool& pool() {
  static Pool* const one = [] {
    auto* made = new Pool;
    made->plugin = load_plugin();
    return made;
  }();
  return *one;
}

}  // namespace

Device::Device(const lc_plugin& functions, lc_device* handle)
    : functions_(functions), handle_(handle) {
  lc_device_info info{};
  if (functions_.describe(handle_, &info) == LC_OK) name_ = info.name;
}

Device::~Device() { functions_.close(handle_); }

double Device::free_bytes() {
  lc_device_info info{};
  check(functions_.describe(handle_, &info));
  return info.free_bytes;
}

void Device::check(int status) {
  if (status == LC_OK) return;
  const std::string message = functions_.message(handle_);
  if (status == LC_NOT_DEFINITE) throw NumericsError(message);
  lost_ = status != LC_OUT_OF_MEMORY;
  throw DeviceError(message, !lost_);
}

std::shared_ptr<Device> take_device(std::string* why) {
  Pool& all = pool();
  std::unique_ptr<Device> device;
  {
    const std::scoped_lock lock(all.mutex);
    if (!all.idle.empty()) {
      device = std::move(all.idle.back());
      all.idle.pop_back();
    }
  }
  if (!device) {
    std::array<char, 512> text{};
    lc_device* handle = nullptr;
    const bool open = all.plugin.functions &&
                      all.plugin.functions->open(&handle, text.data(), text.size()) == LC_OK;
    if (!open) {
      if (why) *why = all.plugin.functions ? std::string(text.data()) : all.plugin.why;
      return nullptr;
    }
    device = std::make_unique<Device>(*all.plugin.functions, handle);
  }
  return {device.release(), [&all](Device* used) {
            std::unique_ptr<Device> mine(used);
            if (mine->lost()) return;
            const std::scoped_lock lock(all.mutex);
            all.idle.push_back(std::move(mine));
          }};
}

FoundDevice find_device() {
  FoundDevice found;
  found.plugin = pool().plugin.file;
  const std::shared_ptr<Device> device = take_device(&found.why);
  if (!device) return found;
  lc_device_info info{};
  try {
    device->check(device->call().describe(device->handle(), &info));
  } catch (const DeviceError& error) {
    found.why = error.what();
    return found;
  }
  found.found = true;
  found.name = device->name();
  found.memory_bytes = info.memory_bytes;
  found.free_bytes = info.free_bytes;
  return found;
}

}  // namespace loopcert
