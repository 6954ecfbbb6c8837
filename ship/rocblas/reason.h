/* reason.h - why a call is forwarded to rocBLAS, and what is counted. */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_reason_h
#define ship_rocblas_reason_h

enum reason { /* ORDER REASON */
  SERVED,
  WHY_OFF,
  WHY_ARGUMENTS,
  WHY_EMPTY,
  WHY_TYPES,
  WHY_ALGORITHM,
  WHY_FLAGS,
  WHY_IN_PLACE,
  WHY_BATCH,
  WHY_ALIGNMENT,
  WHY_LAYER,
  WHY_NO_RUNTIME,
  WHY_SIZE_QUERY,
  WHY_POINTER_MODE,
  WHY_SCALARS,
  WHY_DEVICE,
  WHY_CAPTURE,
  WHY_ASIDE,
  WHY_NO_KERNEL,
  WHY_STALE,
  WHY_LOSS,
  WHY_SCRATCH,
  WHY_HIP,
  WHY_VERIFY,
  REASONS
};

/* One word, such as "pointer-mode", as `TUNED_BLAS=stats` prints it. */
const char *reason_name(enum reason r);
/* A clause: "the call asks for a solution by its number". */
const char *reason_text(enum reason r);

#endif
