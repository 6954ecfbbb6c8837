/* launch.c - loading and launching through a HIP that takes notes: what it is
 * given, what it refuses, threads, forks. */
// SPDX-License-Identifier: MIT
#include "tests/ship/made.h"

#include <pthread.h>
#include <sys/wait.h>

/* What the HIP of this test was asked for. */
static struct {
  int modules, loads, error; /* error: what the next calls return */
  char code[64];
  unsigned launches;
  struct {
    const char *kernel;
    unsigned grid[3], block[3], lds;
    void *stream, *pointer[2];
    int m;
    int64_t ldc;
    float alpha, two;
  } launch[4];
} notes;

static int note_load(void **module, const void *image)
{
  __atomic_add_fetch(&notes.loads, 1, __ATOMIC_RELAXED);
  if (notes.error)
    return notes.error;
  __atomic_add_fetch(&notes.modules, 1, __ATOMIC_RELAXED);
  snprintf(notes.code, sizeof notes.code, "%s", (const char *)image);
  *module = &notes;
  return 0;
}

static int note_unload(void *module)
{
  assert_ptr_equal(module, &notes);
  __atomic_sub_fetch(&notes.modules, 1, __ATOMIC_RELAXED);
  return 0;
}

static int note_function(void **f, void *module, const char *name)
{
  assert_ptr_equal(module, &notes);
  *f = (void *)(size_t)name;
  return strcmp(name, "mul") && strcmp(name, "add") ? 500 : 0;
}

static int note_launch(void *f, unsigned gx, unsigned gy, unsigned gz,
                       unsigned bx, unsigned by, unsigned bz, unsigned lds,
                       void *stream, void **args, void **extra)
{
  unsigned n = notes.launches++;
  assert_null(extra);
  assert_true(n < 4);
  notes.launch[n].kernel = f;
  memcpy(notes.launch[n].grid, (unsigned[]){gx, gy, gz}, 3 * sizeof gx);
  memcpy(notes.launch[n].block, (unsigned[]){bx, by, bz}, 3 * sizeof bx);
  notes.launch[n].lds = lds;
  notes.launch[n].stream = stream;
  for (int i = 0; i < 2; i++)
    notes.launch[n].pointer[i] = *(void **)args[i];
  if (!strcmp(f, "mul")) {
    notes.launch[n].m = *(int *)args[2];
    notes.launch[n].ldc = *(int64_t *)args[3];
    notes.launch[n].alpha = *(float *)args[4];
    notes.launch[n].two = *(float *)args[5];
  }
  return notes.error;
}

static const struct tuned_hip noting = { note_load, note_unload, note_function,
                                         note_launch };

static tuned *open_made(const struct tuned_hip *hip)
{
  struct str bytes = {0};
  tuned *t;
  make(&bytes);
  memset(&notes, 0, sizeof notes);
  const char *path = write_pack(bytes.at, bytes.len);
  assert_int_equal(tuned_open(&t, path, "gfx906", hip, NULL), 0);
  unlink(path); /* what is mapped stays */
  str_free(&bytes);
  return t;
}

/* 300 x 200 x 304 with alpha 0.5, which 256's kernel serves. */
static struct tuned_found find(const tuned *t)
{
  const struct tuned_key keys[] = {
    TUNED_WHOLE("m", 300), TUNED_WHOLE("n", 200), TUNED_WHOLE("k", 304),
    TUNED_NUMBER("alpha", 0.5),
  };
  struct tuned_found f;
  assert_int_equal(tuned_find(t, "mul", keys, 4, TUNED_FITTED, &f), 0);
  return f;
}

static char memory[4][1024];
static void *const buffers[] = {memory[0], memory[1], memory[2]};

static void launched(void **state)
{
  (void)state;
  tuned *t = open_made(&noting);
  struct tuned_found f = find(t);
  assert_int_equal(tuned_loaded(t, &f), 0);
  assert_int_equal(tuned_launch(t, &f, buffers, 3, memory[3], NULL),
                   TUNED_NOT_LOADED);
  assert_int_equal(tuned_load(t, &f), 0);
  assert_int_equal(tuned_load(t, &f), 0);
  assert_int_equal(tuned_loaded(t, &f), 1);
  assert_int_equal(notes.loads, 1);
  assert_string_equal(notes.code, "code of tile 64");
  assert_int_equal(f.scratch, 1024); /* 200 of 4 bytes, by 256 */
  assert_int_equal(tuned_launch(t, &f, buffers, 3, memory[3], &notes), 0);
  assert_int_equal(notes.launches, 2);
  assert_string_equal(notes.launch[0].kernel, "mul");
  assert_string_equal(notes.launch[1].kernel, "add");
  assert_memory_equal(notes.launch[0].grid, ((unsigned[]){5, 4, 1}), 12);
  assert_memory_equal(notes.launch[0].block, ((unsigned[]){256, 1, 1}), 12);
  assert_memory_equal(notes.launch[1].grid, ((unsigned[]){1, 1, 1}), 12);
  assert_int_equal(notes.launch[0].lds, 32);
  assert_ptr_equal(notes.launch[0].stream, &notes);
  assert_ptr_equal(notes.launch[0].pointer[0], memory[0]);
  assert_ptr_equal(notes.launch[0].pointer[1], memory[3]);
  assert_ptr_equal(notes.launch[1].pointer[0], memory[3]);
  assert_ptr_equal(notes.launch[1].pointer[1], memory[2]);
  assert_int_equal(notes.launch[0].m, 300);
  assert_int_equal(notes.launch[0].ldc, 200); /* completed */
  assert_true(notes.launch[0].alpha == 0.5f && notes.launch[0].two == 2);
  tuned_close(t);
  assert_int_equal(notes.modules, 0);
}

static void named_buffers(void **state)
{
  (void)state;
  tuned *t = open_made(NULL);
  struct tuned_found f = find(t);
  size_t bytes;
  assert_string_equal(tuned_buffer(t, &f, 0, &bytes), "a");
  assert_int_equal(bytes, 1200);
  assert_string_equal(tuned_buffer(t, &f, 2, NULL), "c");
  assert_null(tuned_buffer(t, &f, 3, NULL));
  tuned_close(t);
}

static void refused(void **state)
{
  (void)state;
  void *const hole[] = {memory[0], NULL, memory[2]};
  tuned *t = open_made(&noting);
  struct tuned_found f = find(t);
  notes.error = 98;
  assert_int_equal(tuned_load(t, &f), TUNED_HIP_ERROR + 98);
  notes.error = 0;
  assert_int_equal(tuned_load(t, &f), 0);
  assert_int_equal(tuned_launch(t, &f, buffers, 2, memory[3], NULL),
                   TUNED_BAD_BUFFER);
  assert_int_equal(tuned_launch(t, &f, hole, 3, memory[3], NULL),
                   TUNED_BAD_BUFFER);
  assert_int_equal(tuned_launch(t, &f, buffers, 3, NULL, NULL),
                   TUNED_BAD_BUFFER);
  assert_int_equal(notes.launches, 0);
  notes.error = 1;
  assert_int_equal(tuned_launch(t, &f, buffers, 3, memory[3], NULL),
                   TUNED_HIP_ERROR + 1);
  notes.error = 0;
  tuned_close(t);
  t = open_made(NULL);
  assert_int_equal(tuned_load(t, &f), TUNED_NO_HIP);
  assert_int_equal(tuned_launch(t, &f, buffers, 3, memory[3], NULL),
                   TUNED_NO_HIP);
  tuned_close(t);
}

/* A byte of a code object is wrong: it is refused when it is loaded. */
static void damaged_code(void **state)
{
  (void)state;
  struct str bytes = {0};
  tuned *t;
  make(&bytes);
  size_t index = ((struct pack_head *)(void *)bytes.at)->index;
  bytes.at[index + 9] ^= 1; /* of the first, which is tile 64's */
  const char *path = write_pack(bytes.at, bytes.len);
  assert_int_equal(tuned_open(&t, path, "gfx906", &noting, NULL), 0);
  unlink(path);
  struct tuned_found f = find(t);
  assert_int_equal(tuned_load(t, &f), TUNED_DAMAGED);
  tuned_close(t);
  str_free(&bytes);
}

static void *work(void *user)
{
  tuned *t = user;
  for (int i = 0; i < 2000; i++) {
    struct tuned_found f;
    const struct tuned_key keys[] = { TUNED_WHOLE("m", 1 + i),
                                      TUNED_WHOLE("k", 8 + i / 8 * 8) };
    if (tuned_find(t, "mul", keys, 2, TUNED_FITTED, &f) || tuned_load(t, &f))
      return t;
  }
  return NULL;
}

static void threads(void **state)
{
  (void)state;
  pthread_t thread[4];
  tuned *t = open_made(&noting);
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, t), 0);
  for (int i = 0; i < 4; i++) {
    void *failed;
    pthread_join(thread[i], &failed);
    assert_null(failed);
  }
  assert_true(notes.modules <= 2); /* two plans: what was lost is unloaded */
  tuned_close(t);
  assert_int_equal(notes.modules, 0);
}

/* In the child: codes that are not as they should be. */
static int child(tuned *t)
{
  struct tuned_found f = find(t);
  int wrong = tuned_load(t, &f) != TUNED_FORKED;
  wrong += tuned_launch(t, &f, buffers, 3, memory[3], NULL) != TUNED_FORKED;
  tuned_close(t);
  wrong += notes.modules != 1; /* the parent's is left alone */
  t = open_made(&noting);
  f = find(t);
  wrong += tuned_load(t, &f) || tuned_launch(t, &f, buffers, 3, memory[3], NULL);
  tuned_close(t);
  return wrong;
}

static void forked(void **state)
{
  (void)state;
  int status = -1;
  tuned *t = open_made(&noting);
  struct tuned_found f = find(t);
  assert_int_equal(tuned_load(t, &f), 0);
  pid_t pid = fork();
  if (pid == 0)
    _exit(child(t));
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  assert_int_equal(tuned_launch(t, &f, buffers, 3, memory[3], NULL), 0);
  tuned_close(t);
}

static void twice(void **state)
{
  (void)state;
  tuned *a = open_made(&noting), *b = open_made(&noting);
  struct tuned_found f = find(a), g = find(b);
  assert_int_equal(tuned_load(a, &f), 0);
  assert_int_equal(tuned_loaded(b, &g), 0);
  tuned_close(a);
  assert_int_equal(tuned_load(b, &g), 0);
  assert_int_equal(notes.modules, 1);
  tuned_close(b);
}

static void reasons(void **state)
{
  (void)state;
  for (int i = 0; i <= TUNED_BAD_OFFSETS; i++)
    assert_true(strlen(tuned_reason(i)) > 3);
  assert_string_equal(tuned_reason(TUNED_HIP_ERROR + 5),
                      "a call of HIP failed");
  assert_string_equal(tuned_reason(-1), tuned_reason(500));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(launched),     cmocka_unit_test(named_buffers),
    cmocka_unit_test(refused),      cmocka_unit_test(damaged_code),
    cmocka_unit_test(threads),      cmocka_unit_test(forked),
    cmocka_unit_test(twice),        cmocka_unit_test(reasons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
