/* main.c - the program `tune`. */
// SPDX-License-Identifier: MIT
#include "tuner/cli.h"

int main(int argc, char **argv)
{
  return cli_main(argc, argv);
}
