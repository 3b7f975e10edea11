// Memory that ends where no exception can be caught.
#pragma once

namespace loopcert::app {

// "loopcert: out of memory" on standard error, once. Takes no memory.
void say_out_of_memory();

}  // namespace loopcert::app
