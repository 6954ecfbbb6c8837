/* number.h - numbers of rocBLAS's types, on the host. */
// SPDX-License-Identifier: MIT
#ifndef ship_rocblas_number_h
#define ship_rocblas_number_h

#include <stddef.h>

/* Bytes of a number; 0: a type that the front has no products of. */
size_t number_bytes(int type);

/* The number at place i of an array. */
double number_at(int type, const void *at, size_t i);

/* What rounding to the type changes at most, as a part of the number; 0: whole
 * numbers, which are exact. */
double number_unit(int type);

/* The same near 0, where it is a part of nothing. */
double number_least(int type);

/* From here on a number rounds to infinity, or does not fit. */
double number_limit(int type);

#endif
