# usage.sh - bad input gets a message that says what, where, what next.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

expect 2
says "tune gemm --arch gfx906"
expect 0 --help
cmp "$out" "$(dirname "$0")/../../docs/usage.txt" ||
  fail "docs/usage.txt, which ./tune --help shows before there is a program, \
differs; make it by: tune --help >docs/usage.txt"
expect 2 gemm
says "--arch gfx906"
for verb in gemm calibrate study explain\ gemm lds\ --solve; do
  expect 2 $verb
  says "which architecture? Add --arch gfx906, for example; \`tune list archs\`"
done
expect 2 gem --arch gfx906
says "'gem'; did you mean 'gemm'? \`tune list families\` names"
expect 2 lst archs
says "did you mean 'list'?"
expect 2 gemm --arch gxf906
says "did you mean 'gfx906'?"
expect 2 gemm --arch gfx1100
says "known: gfx900 (MI25), gfx906 (MI50)"
says_not "did you mean"
expect 2 gemm --arch gfx906 --arch gfx908
says "--arch is given twice"
expect 2 gemm --arch gfx906 --vary pad_a
says "--vary has no effect here; it is an option of \`tune explain\`"
expect 2 show gemm --set tile_m=64
says "--set has no effect here"
expect 2 lds --solve --arch gfx906 --evals 3
says "--evals has no effect here"
expect 2 help show --m 5
says "there is no option --m"
expect 2 gemm --arch gfx906 --k 1e9 --evals 1e99
says "--evals 1e99"
expect 2 gemm --arch gfx906 --m 1e4 --n 1e4 --k 4e5 --device sim
says "MiB, and "
expect 2 show --m 64
says "there is no option --m"
expect 2 show --best 2
says "which family?"
expect 1 show gemm --arch gfx906 --best 2
says "nothing is stored for gemm on gfx906"
expect 1 gemm --arch gfx906 --device all --m 64 --n 64 --k 32
says "is simulated; --device sim takes it"
expect 2 gemm --arch gfx906 --mm 5
says "did you mean --m?"
expect 2 gemm --arch gfx906 --serch local
says "did you mean --search?"
expect 2 gemm --arch gfx906 --search bayess
says "did you mean 'bayes'?"
expect 2 gemm --arch gfx906 --layout nx
says "nn"
expect 2 gemm --arch gfx906 --m 0
says "m is 0"
expect 2 gemm --arch gfx906 --n=-5
says "n is -5"
expect 2 gemm --arch gfx906 --k many
says "k"
expect 2 gemm --arch gfx906 --evals 0
says "--evals 0"
expect 2 gemm --arch gfx906 --device gpu
says "--device gpu: must be auto, all, sim or a number"
expect 2 gemm --arch gfx906 --m 200000 --n 200000 --k 1 --device sim
says "MiB, and "
expect 2 emit gemm --arch gfx906 --set tile_n=64,tile_q=5
says "did you mean 'tile_"
expect 2 emit gemm --arch gfx906 --set tile_m=63
says "63"
expect 2 explain gemm --arch gfx906 --set tile_m=64 --vary tile_o
[ ! -s "$out" ] || fail "$last: prints before it refuses"
says "did you mean 'tile_"
expect 2 $small --seconds 0
says "--seconds 0: must be a number from 0.001"
expect 2 replay
says "\`tune help replay\` shows what to write"
expect 2 list gpus
says "families, archs, devices and searches"
expect 2 list archs now
says "'now' is one word too many"
expect 2 list archs --m 5
says "there is no option --m"
expect 1 gemm --arch gfx906 --device 7
says "there is no device 7"
expect 2 gemm --arch gfx906 --templates "$work/nowhere"
says "nowhere: no such folder of templates"
expect 1 ./nothing.lua --arch gfx906
says "nothing.lua"
mkdir "$work/no_clang" # newer compilers that are installed are not found
PATH=$work/no_clang expect 1 gemm --arch gfx942 --device sim
says "no compiler for gfx942"
expect 1 emit gemm --arch gfx906
says "no winner is stored"
expect 1 show gemm
says "holds no winner"
end
