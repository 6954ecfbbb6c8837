-- channels.lua - where lines of memory lie in the L2, for guesses of a kernel's time.
-- SPDX-License-Identifier: MIT
local channels <const> = {}

-- Bytes that lie on one channel of the L2 before the next comes.
channels.interleave = 256

-- Does a load of so many rows, of `run` bytes each and `stride` bytes apart, ask few
-- channels for many lines? Such lines come more slowly.
function channels.camp(rows, stride, run, arch)
  local each <const>, all <const> = channels.interleave, arch.l2_channels
  if all == 0 then return false end
  local is_used <const>, used, blocks, last = {}, 0, 0, -1
  for row = 0, rows - 1 do
    for block = row * stride // each, (row * stride + run - 1) // each do
      if block ~= last then
        last, blocks = block, blocks + 1
        if not is_used[block % all] then
          is_used[block % all] = true
          used = used + 1
        end
      end
    end
  end
  return used < all and 2 * used <= blocks
end

return channels
