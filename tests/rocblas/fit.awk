# fit.awk - the straight line that Tensile fits to a kernel's times, for
# modelled ones: rows of rocblas_time. Runs before what uses it, which has a
# function judge(kernel); that is called for each kernel when its line is known.
#
# 1000 K / GFLOPS, which is time, by least squares without weights over eleven K
# from 32 to 16384 (rocblas_time says where that is written). The largest K have
# most weight; where they take more than their share of time, the line meets
# K = 0 below 0, and its figures for small K are not what anybody measured.
#
# Tensile's client timed one launch on the host (no device timers, one enqueue
# a sync, after one warm-up and the validation's copy of D): a fixed time of
# clocks that rise, launch and wakening is part of every figure.

BEGIN {
  FS = "\t"
  scale_us = 8192 * 4096 * 2 / 1e6 # us of 1 in 1000 K / GFLOPS
  host_us = 1100 # fitted: published minus modelled intercepts, GSU 1, sgemm nn
}

$1 == "row" { next }

# The rows of one kernel follow each other.
$1 != row || $11 != kernel { finish_kernel() }
{
  row = $1; kernel = $11
  slope = $3; intercept = $4 # published
  time[$2] = ($5 + host_us) / scale_us
}

END { finish_kernel() }

function finish_kernel() {
  if (kernel) {
    line()
    judge(kernel)
  }
  split("", time)
}

# Least squares through time[]; sets a (at K = 0) and b (a K).
function line(    k, m, x, xx, y, xy) {
  for (k in time) {
    m++
    x += k; xx += k * k
    y += time[k]; xy += k * time[k]
  }
  b = (m * xy - x * y) / (m * xx - x * x)
  a = (y - b * x) / m
}

# GFLOP/s at this K: of the published line, of the modelled one, modelled.
function published(k) { return 1000 * k / (intercept + slope * k) }
function fitted(k) { return 1000 * k / (a + b * k) }
function raw(k) { return 1000 * k / time[k] }
