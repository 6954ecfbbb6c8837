/* atomic.h - read-modify-write operations of LDS and memory. */
// SPDX-License-Identifier: MIT
#ifndef sim_atomic_h
#define sim_atomic_h

#include "runtimes/sim/run/memory.h"

enum atomic_op { /* ORDER ATOMIC */
  ATOMIC_ADD, ATOMIC_SUB, ATOMIC_RSUB, ATOMIC_INC, ATOMIC_DEC, ATOMIC_SMIN,
  ATOMIC_SMAX, ATOMIC_UMIN, ATOMIC_UMAX, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR,
  ATOMIC_MSKOR, ATOMIC_SWAP, ATOMIC_CMPSWAP, ATOMIC_FCMPSWAP, ATOMIC_FMIN,
  ATOMIC_FMAX, ATOMIC_FADD, ATOMIC_WRAP, ATOMIC_CONDSWAP,
  ATOMIC_PK_F16, ATOMIC_PK_BF16, ATOMIC_N
};

/* The value that `op` leaves where `old` was. a is the first data operand
 * (CMPSWAP: what is compared), b the second (CMPSWAP: the new value). mode is
 * the wave's, for denormals; `bytes` 4 or 8. */
uint64_t atomic_result(unsigned op, unsigned bytes, uint64_t old, uint64_t a,
                       uint64_t b, uint32_t mode);

/* Apply `op` for each active lane in turn at base + access.addr[k]: operands
 * from VGPRs a and b (pairs for 8 bytes), old values to `dst` unless it is
 * ATOMIC_DROP. Each lane's update is atomic for the host, too. */
enum {ATOMIC_DROP = 0xffff};
void atomic_apply(struct wave *w, const struct memory_op *op, unsigned a,
                  unsigned b, unsigned dst, unsigned k, uintptr_t base);

#endif
