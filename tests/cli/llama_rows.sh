# llama_rows.sh - ship/llama/rows and vec-rows on a tree with text of the form that they
# look for, with a compiler whose programs say what the row that they were compiled with
# is worth: the best row is found step by step, one with other results is not taken, and
# what is printed is a row of the table.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

tree=$work/ggml/src/ggml-cuda
mkdir -p "$tree/vendors"
: >"$tree/mmq.cuh"
cat >"$tree/mmq-config-rdna2.cuh" <<'CU'
    CASE(GGML_TYPE_Q4_0, 256, 2, 128,  16, LAYOUT, ITER, false, true);
    CASE(GGML_TYPE_Q4_0, 256, 2, 128,  16, LAYOUT, ITER, false, false);
    return ggml_cuda_mmq_config(GGML_TYPE_COUNT, 256, 2, 128, 64, LAYOUT, 256, false, true);
CU
cat >"$work/compiler" <<'SH'
#!/bin/sh
for word; do
  case $word in -DROW_CASE*) row=$(echo "$word" | sed 's/.*TYPE, //; s/).*//; s/,//g') ;; esac
  [ "$last" != -o ] || out=$word
  [ "$last" != -I ] || grep -q 'ROW_CASE(CASE)' "$word/mmq-config-rdna2.cuh" 2>/dev/null && seen=1
  last=$word
done
[ "$seen" ] || exit 1
# threads, workgroups a CU, rows, columns, layout, k, stream-k
case $row in
  "512 2 64 "*) say="50 -2000" ;;    # fast, and wrong
  "128 2 128 "*) exit 1 ;;          # cannot be
  "128 4 64 "*) say="70 -1000" ;;
  "128 2 64 "*true*) say="75 -1000" ;;
  "128 2 64 "*) say="80 -1000.001" ;;
  *) say="100 -1000" ;;
esac
printf '#!/bin/sh\necho %s\n' "$say" >"$out"
chmod +x "$out"
SH
sed -i '2i last= seen=' "$work/compiler"
chmod +x "$work/compiler"

# rows STATUS TYPE...: run it on the tree.
rows()
{
  want=$1
  shift
  last="rows $*"
  HIPCXX=$work/compiler COLUMNS="16 24" sh "$root/ship/llama/rows" "$work/ggml" "$@" \
    >"$out" 2>"$err"
  got=$?
  [ $got -eq "$want" ] || fail "$last: status $got, not $want"
}

rows 0 q4_0
says "    CASE(GGML_TYPE_Q4_0, 128, 4,  64,  16, LAYOUT, ITER, false, false); // 70 us, was 100"
says "    CASE(GGML_TYPE_Q4_0, 128, 4,  64,  24, LAYOUT, ITER, false, false); // new: 70 us"
[ "$(wc -l <"$out")" = 2 ] || fail "$last: more than two rows"
[ "$(wc -l <"$err")" = 19 ] || fail "$last: not all tries are shown"
cp "$err" "$out"
says "Q4_0 50 -2000 512 2 64 16 LAYOUT ITER false"
says "Q4_0 - - 128 2 128 16 LAYOUT ITER false"

rows 1 q5_0
cp "$err" "$out"
says "rows: Q5_0 is none of q4_0, q4_1, q8_0, q4_K and q6_K"
rows 1 q8_0
cp "$err" "$out"
says "has no row of Q8_0"
rm "$tree/mmq-config-rdna2.cuh"
rows 1 q4_0
cp "$err" "$out"
says "has no table for gfx906"

cat >"$tree/mmvq.cu" <<'CU'
static int calc_nwarps(ggml_type type, int columns) {
static int calc_rows_per_block(int columns) {
static void mul_mat_vec_q_switch_type(
CU
cat >"$work/compiler" <<'SH'
#!/bin/sh
last=
for word; do
  case $word in -DVEC_WARPS=*) warps=${word#*=} ;; -DVEC_ROWS=*) rows=${word#*=} ;; esac
  [ "$last" != -o ] || out=$word
  if [ "$last" = -I ] && [ -f "$word/mmvq-part.cu" ]; then
    [ "$(grep -c VEC_ "$word/mmvq-part.cu")" = 2 ] || exit 1
    ! grep -q switch_type "$word/mmvq-part.cu" || exit 1
  fi
  last=$word
done
case $warps$rows in
  00) say="1 90 -1000" ;;
  21) say="1 10 -2000" ;; # fast, and wrong
  24) say="1 45 -1000" ;;
  44) exit 1 ;;
  *) say="1 100 -1000" ;;
esac
printf '#!/bin/sh\necho %s; echo 2 70 500\n' "$say" >"$out"
chmod +x "$out"
SH
last="vec-rows q4_K"
HIPCXX=$work/compiler sh "$root/ship/llama/vec-rows" "$work/ggml" q4_K >"$out" 2>"$err" ||
  fail "$last: failed"
says "Q4_K 1 columns: 90 us, now 45 us with 2 waves, 4 rows, 2.00 times as fast"
says "Q4_K 2 columns: 70 us, now 70 us with its own, 1.00 times as fast"
cp "$err" "$out"
says "vec-rows: Q4_K with 4 waves and 4 rows: none"
last="vec-rows of a tree that it does not know"
sed -i 1d "$tree/mmvq.cu"
! sh "$root/ship/llama/vec-rows" "$work/ggml" q4_K >"$out" 2>&1 || fail "$last: no error"
says "no calc_nwarps and calc_rows_per_block"
end
