@ -- k_overlap.hip - the loop over k tiles where all else is done amid the
@ -- multiplication (read_ahead=2).
@ -- SPDX-License-Identifier: MIT
@
@ -- left: what is left of k from a tile on, as an argument of loads. filled, slice: where
@ -- a thread stores, and reads, of an operand's tile in a stage of LDS.
@ local both <const>, move <const>, ragged <const>, left <const>, filled <const>, slice <const> = ...
@ local loop <const> = include "parts/loop.hip"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local rows <const> = tile_k // slice_k -- that a thread multiplies
@ local half <const> = rows // 2
@
@ -- Offsets stay 32 bits beside a base that all lanes share if compilers widen them
@ -- at the load, and not before the loop.
@ local function load(number)
@   local rest <const> = ragged and ", thread" .. left(number) or ""
@   for _, x in ipairs(both) do
@     local name <const> = x.names.name
@     indent(2, loop.line, "i", x.loads, name .. "_loads", function (i)
    $(name)_at[$i] = anew($(name)_at[$i]);
@     end)
    load_$(name)_tile($(name)_in, $name, $(name)_at$(move.with(x))$rest);
    $name += $(name)_next;
@   end
@ end
@ local function store(stage)
@   for _, x in ipairs(both) do
@     local name <const> = x.names.name
    store_$(name)_tile($(filled(x, stage)), $(name)_in, thread);
@   end
@ end
@ local function read_first(stage)
    read_a(a_row[0], $(slice(both[1], stage)), 0, row);
    read_b(b_row[0], $(slice(both[2], stage)), 0, column);
@ end
@ local function multiply(first, last)
    multiply<$first, $last>(sum, a_row, b_row,
                   $(slice(both[1], "now")),
                   $(slice(both[2], "now")), row, column);
@ end
@
@ for _, x in ipairs(both) do
@   move.held(x, "")
@ end
@ indent(-2, load, 0)
@ indent(-2, store, "0")
  if (tiles > 1) {
@ load(1)
  }
  barrier();
  $(T.word) a_row[2][thread_m], b_row[2][thread_n]; // of rows k and k + 1
@ indent(-2, read_first, "0")
  // All that is read is there before the loop, or each turn would wait for it.
@ loop.line("i", thread_m, "thread_m", function (i)
    a_row[0][$i] = anew(a_row[0][$i]);
@ end)
@ loop.line("j", thread_n, "thread_n", function (j)
    b_row[0][$j] = anew(b_row[0][$j]);
@ end)
  for (int t = 0; t < tiles; t++) {
    // The last k tile is stored again, and its first row read: neither counts.
    int now = t % 2, other = 1 - now, next = t + 1 < tiles ? other : now;
@ multiply(0, half)
@ store("other")
    if (t + 2 < tiles) {
@ indent(2, load, "(t + 2)")
    }
@ multiply(half, rows - 1)
    barrier(); // all have stored tile t + 1, and read tile t
@ read_first("next")
    add_row(sum, a_row[1], b_row[1]);
  }
