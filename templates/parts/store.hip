@ -- store.hip - the sums of a thread on their way to memory.
@ -- SPDX-License-Identifier: MIT
@
@ local store <const> = {}
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ -- A factor, or an element of C, in the type of the sums.
@ local function factor(name) return T.exact and "(total)(int)" .. name or name end
@ local function summed(sum) return T.whole and not T.exact and "(float)(int)" .. sum or sum end
@ local function widened(old) return T.narrow and "widen(" .. old .. ")" or old end
@
@ -- alpha * sum, and beta * what was there if beta counts, in C's type. Without a
@ -- sum nothing was multiplied. epilogue: epilogue.hip's, of the element at (y, x).
@ function store.scaled(sum, old, epilogue, y, x)
@   local product <const> = sum and factor("alpha") .. " * " .. summed(sum)
@   local kept <const> = beta ~= 0 and factor("beta") .. " * " .. widened(old)
@   if epilogue and epilogue.some then return epilogue.finished(product, kept, y, x) end
@   local list <const> = { product or kept or nil, product and kept or nil }
@   local text <const> = #list > 0 and table.concat(list, " + ") or "0"
@   return T.narrow and "narrow(" .. text .. ")" or text
@ end
@
@ -- What is written for element (i, j) of the sums, or for `width` of them from
@ -- j on, as elements `type`. reads: what is there counts, too.
@ local function write(type, width, several, x, j, value, reads)
@   if width == 1 then
$type *to = c + (long long)y * ldc + $x;
*to = $(value("sum[i][" .. j .. "]", "*to", x));
@     return
@   end
typedef vec<$type, $several> vector;
@   if reads then
vector *to = (vector *)(c + (long long)y * ldc + $x), v = *to;
@   else
vector *to = (vector *)(c + (long long)y * ldc + $x), v;
@   end
#pragma unroll
for (int e = 0; e < $several; e++)
  v[e] = $(value("sum[i][" .. (j == "0" and "e" or j .. " + e") .. "]", "v[e]", x .. " + e"));
*to = v;
@ end
@
@ -- A function `name` that writes sums, `width` elements at a time, which the
@ -- text calls `several`. y and x: where sum (i, j) is. scaled: it is C that they
@ -- are written to, with alpha and beta, and what epilogue.hip's returned.
@ function store.sums(name, width, several, y, x, scaled, epilogue)
@   local factors <const> = not scaled and "" or ", float alpha" ..
@                           (beta ~= 0 and ", float beta" or "") ..
@                           (epilogue and epilogue.declared or "")
@   local blanks <const> = (" "):rep(#name)
@   local reads <const> = scaled and beta ~= 0
@   local type <const> = scaled and T.c_element or T.sum
@   local function value(sum, old, x)
@     return scaled and store.scaled(sum, old, epilogue, "y", x) or sum
@   end

// Write the sums that lie inside of $(scaled and "C" or "m x n"), from (row, column) on.
static __device__ inline void
$name($type *c, const $(T.sum) sum[thread_m][thread_n], int row, int column,
$blanks int m, int n, int ldc$factors)
{
@   if width == thread_n then
#pragma unroll
  for (int i = 0; i < thread_m; i++) {
    int y = row + $y;
    if (y >= m || column >= n)
      continue;
@     indent(4, write, type, width, several, "column", "0", value, reads)
  }
@   else
#pragma unroll
  for (int i = 0; i < thread_m; i++) {
    int y = row + $y;
    if (y >= m)
      continue;
#pragma unroll
    for (int j = 0; j < thread_n; $(width > 1 and "j += " .. several or "j++")) {
      int x = column + $x;
      if (x >= n)
        continue;
@     indent(6, write, type, width, several, "x", "j", value, reads)
    }
  }
@   end
}
@ end
@
@ return store
