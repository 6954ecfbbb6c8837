/* fake.h - what the stand-ins for libcuda and libnvrtc share with a test. */
// SPDX-License-Identifier: MIT
#ifndef tests_cuda_fake_h
#define tests_cuda_fake_h

/* How the code of fake_nvrtc.c starts. */
#define FAKE_CODE "fake cubin\n"

/* Where it is said to be; fake_nvml.c knows the same card. */
#define FAKE_BUS_ID "0000:5A:00.0"

/* What the device of fake_cuda.c is, wherever a test looks. */
enum {
  FAKE_THREADS = 1024,
  FAKE_SHARED = 48 << 10,
  FAKE_SHARED_OPTIN = 227 << 10,
  FAKE_CUS = 3,
  FAKE_MEMORY = 64 << 20,
};

/* The last launch that was taken. */
struct fake_launch {
  unsigned grid[3], block[3], shared;
  unsigned allowed; /* dynamic shared memory that the kernel had leave for */
  int count;
};

#endif
