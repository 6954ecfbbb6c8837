/* weights.c - are the weights of a file such that kernels can have them?
 *
 *     weights FILE TYPE ROWS K
 *
 * FILE has ROWS rows of K numbers of TYPE (q4_K, f16 ...), and nothing else. To be
 * done once, before they go to the device.
 */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <tuned.h>

/* All bytes of a file, or NULL. */
static void *read_all(const char *path, size_t *size)
{
  FILE *f = fopen(path, "rb");
  void *bytes = NULL;
  long end = -1;
  if (f && !fseek(f, 0, SEEK_END))
    end = ftell(f);
  if (end >= 0 && !fseek(f, 0, SEEK_SET))
    bytes = malloc(end > 0 ? (size_t)end : 1);
  if (bytes && fread(bytes, 1, (size_t)end, f) != (size_t)end) {
    free(bytes);
    bytes = NULL;
  }
  *size = end < 0 ? 0 : (size_t)end;
  if (f)
    fclose(f);
  return bytes;
}

int main(int argc, char **argv)
{
  char why[256];
  size_t size;
  if (argc != 5) {
    fprintf(stderr, "usage: weights FILE TYPE ROWS K\n");
    return 2;
  }
  void *bytes = read_all(argv[1], &size);
  if (!bytes) {
    fprintf(stderr, "weights: %s cannot be read\n", argv[1]);
    return 1;
  }
  int code = tuned_check_weights(argv[2], atoll(argv[3]), atoll(argv[4]), bytes,
                                 size, why);
  free(bytes);
  if (code)
    fprintf(stderr, "weights: %s: %s\n", argv[1], why);
  return code != 0;
}
