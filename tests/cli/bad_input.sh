# bad_input.sh - kernels that were given what libtuned's checks refuse: offsets that
# fall or lie outside touch no memory but their matrices, and a scale that is not
# finite spoils its own row alone. The example that looks at a file says what is wrong.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"
lib=$1

# stored FAMILY CONFIGURATION KEYS...: a winner in the table.
stored()
{
  family=$1 set=$2
  shift 2
  expect 0 "$family" --arch gfx906 --device sim --quiet --set "$set" --dtype q8_0 \
    --x q8_1 --m 100 --k 256 "$@"
}

vec=rows=2,depth=1,lanes_k=4,waves_k=1,waves_r=1,ahead=1,turns=1,layout=file,split_k=1
mat=tile_m=64,tile_n=32,thread_m=4,thread_n=2,wave_m=16,tile_k=64,across=2,stages=1
stored mmvq $vec --n 3
stored mmq $mat,waves=1,layout=file,split_k=1 --n 70 --groups 5 --used 1
expect 0 pack --out "$work/bad.pack"

source=$(dirname "$0")
last="cc bad_input.c"
cc -std=c99 -Wall -Wextra -Werror -D_GNU_SOURCE -D__HIP_PLATFORM_AMD__ \
  -I "$source/../../ship" -o "$work/bad_input" "$source/bad_input.c" -L "$lib" -ltuned \
  -lamdhip64 -lm >"$out" 2>"$err" || fail "$last"
last="bad_input"
LD_LIBRARY_PATH=$lib LD_PRELOAD=$lib/libhipsim.so "$work/bad_input" "$work/bad.pack" \
  >"$out" 2>"$err" || fail "$last: status $?"
says "0 failures"

last="cc weights.c"
cc -std=c99 -Wall -Wextra -Werror -pedantic -I "$source/../../ship" -o "$work/weights" \
  "$source/../../ship/example/weights.c" -L "$lib" -ltuned >"$out" 2>"$err" ||
  fail "$last"

# weights STATUS ARGS...
weights()
{
  want=$1
  shift
  last="weights $*"
  LD_LIBRARY_PATH=$lib "$work/weights" "$@" >"$out" 2>"$err"
  got=$?
  [ $got -eq "$want" ] || fail "$last: status $got, not $want"
}

head -c 288 /dev/zero >"$work/w"
weights 0 "$work/w" q4_K 2 256
weights 0 "$work/w" q4_0 16 32
weights 1 "$work/w" q4_K 3 256
says "cut off in row 2: 3 rows of 256 numbers in q4_K are 432 bytes, and there are 288"
weights 1 "$work/w" q4_K 2 128
says "k is 128, but a block of q4_K has 256 numbers"
printf '\374\177' | dd of="$work/w" bs=1 seek=146 conv=notrunc 2>"$err"
weights 1 "$work/w" q4_K 2 256
says "row 1, block 0 of q4_K: the f16 in its byte 2 is not finite"
weights 1 "$work/absent" q4_K 2 256
says "cannot be read"
end
