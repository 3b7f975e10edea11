#include "sweeps/sweep_store.hpp"
#include "../targets.hpp"
#include "core/sha256.hpp"

namespace loopcert::fuzz {

void sweep_store(Bytes bytes) {
  for (const char* suffix : {"-wal", "-shm", "-journal"})  // of the file before
    std::filesystem::remove(scratch_folder() / (std::string("sweep.sqlite") + suffix));
  const auto path = scratch_file("sweep.sqlite", bytes);
  accepted([&] {
    SweepStore store(path);
    store.count();
    for (const std::string& key : store.keys()) store.record(key);
    store.for_each([](const StoredResult&) {});
    const std::string job = "{}";
    store.add({{sha256_hex(job), job, "{}"}});
    require(store.record(sha256_hex(job)).has_value(), "what was added is there");
  });
}

}  // namespace loopcert::fuzz
