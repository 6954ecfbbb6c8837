@ -- loop.hip - loops that the compiler unrolls, without those of one turn.
@ -- SPDX-License-Identifier: MIT
@
@ local loop <const> = {}
@
@ -- Count up from 0, `turns` times, which the text calls `name`. The body is a
@ -- function that writes what stands in the loop, as far in as it stands there.
@ -- It gets the counter to paste, and a function that makes " + counter * STEP":
@ -- of a loop of one turn the body alone is left, with 0 and nothing to add.
@ local function unrolled(counter, turns, name, body, brace)
@   if turns == 1 then
@     return indent(-2, body, "0", function () return "" end)
@   end
#pragma unroll
  for (int $counter = 0; $counter < $name; $counter++)$(brace and " {" or "")
@   body(counter, function (step)
@     return " + " .. counter .. " * " .. step
@   end)
@   if brace then
  }
@   end
@ end
@
@ -- A body of several statements, or of one.
@ function loop.block(counter, turns, name, body)
@   unrolled(counter, turns, name, body, true)
@ end
@ function loop.line(counter, turns, name, body)
@   unrolled(counter, turns, name, body, false)
@ end
@
@ return loop
