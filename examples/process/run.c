/* The exported controller as a program that never ends: a temperature in, an opening out.
 *
 *     cc -Iout/code run.c out/code/controller.c -o run
 *     ./run < /dev/thermometer
 */
#include <stdio.h>

#include "controller.h"

int main(void) {
  static controller_memory memory;
  double outlet, valve;
  controller_reset(&memory);
  while (scanf("%lf", &outlet) == 1) {
    controller_step(&memory, &outlet, &valve);
    printf("%.9g\n", valve);
    fflush(stdout);
  }
  return 0;
}
