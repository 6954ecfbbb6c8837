-- gload.lua - global memory read, written or copied in a stream: what the width of
-- an access, the loads in flight and the workgroups of a CU make of its bandwidth.
-- SPDX-License-Identifier: MIT

local row <const> = 1024 -- words of a row, which a workgroup moves at a time

-- Vectors of a row that each thread moves.
local function vectors(cfg) return row // (cfg.threads * cfg.width) end

local function tiles(problem) return problem.n // (row * problem.depth) end

-- Workgroups: one a tile, or so many a CU, each with two tiles at least.
local function groups(cfg, problem, arch)
  if cfg.groups == 0 then return tiles(problem) end
  return math.min(cfg.groups * arch.cus, (tiles(problem) + 1) // 2)
end

return {
  meaning = "global memory read, written or copied in a stream",

  problem = {
    { "op", "read", { "read", "write", "copy" }, "what is done; read: columns of tiles summed" },
    { "n", 60 << 20, { min = row, max = 1 << 32 },
      "words of 4 bytes that are used; the default keeps 60 CUs equally busy" },
    { "stride", 1, { min = 1, max = 1024 }, "of every so many 16-byte pieces, one is used" },
    { "depth", 64, { 1, 2, 4, 8, 16, 32, 64, 128, 256 },
      "rows of 1024 words a tile; a read leaves a row of sums of each tile" },
  },

  space = {
    { "width", { 1, 2, 4 }, "words an access" },
    { "ahead", { 1, 2, 4, 8 }, "loads that a thread has in flight" },
    { "threads", { 64, 256 }, "threads a workgroup" },
    { "groups", { 0, 2, 4, 8 }, "workgroups a CU, which go from tile to tile; 0: one a tile" },
  },

  rules = {
    { "op=write has no loads in flight: ahead > 1",
      function (cfg, problem) return problem.op == "write" and cfg.ahead > 1 end },
    { "ahead is over a thread's share of depth rows, in width words",
      function (cfg, problem) return cfg.ahead > vectors(cfg) * problem.depth end },
    { "groups * CUs is over the tiles, n / (1024 * depth)",
      function (cfg, problem, arch)
        return cfg.groups * arch.cus > tiles(problem)
      end },
    { "width * ahead and the sums of a row take over 128 registers",
      function (cfg) return cfg.width * (vectors(cfg) + cfg.ahead) > 128 end },
  },

  launch = function (cfg, problem, arch)
    local list <const> = { read = { "x", "y" }, write = { "y" }, copy = { "x", "y" } }
    local args <const> = list[problem.op]
    local grid <const> = groups(cfg, problem, arch)
    args[#args + 1] = i32(tiles(problem))
    if cfg.groups > 0 then args[#args + 1] = i32(grid) end
    if problem.op == "write" then args[#args + 1] = i32(0x2545f491) end
    return { { kernel = "gload", grid = { grid, 1, 1 },
               block = { cfg.threads, 1, 1 }, lds = 0, args = args } }
  end,

  buffers = function (_, problem)
    local p <const> = problem
    local x <const> = { name = "x", role = "in", type = "i32", elements = p.n * p.stride,
                        low = -1000000, high = 1000000 }
    local y <const> = { name = "y", role = "out", type = "i32",
                        elements = p.op == "read" and p.n // p.depth or p.n * p.stride }
    return p.op == "write" and { y } or { x, y }
  end,

  reference = "gload",

  -- All that moves: what is read, and what is written, be it sums.
  cost = function (problem)
    local read <const> = problem.op ~= "write" and problem.n or 0
    local written <const> = problem.op ~= "read" and problem.n or problem.n // problem.depth
    return { bytes = 4 * (read + written) }
  end,

  -- Three tiles: where workgroups go from tile to tile, one has two.
  check = function (_, problem) return { n = 3 * row * problem.depth } end,

  complete = function (problem)
    local tile <const> = row * problem.depth
    if problem.n % tile ~= 0 then
      return nil, "n=" .. problem.n .. " is not a multiple of a tile, " .. tile .. " words"
    end
  end,

  figures = {
    { study = "gload", id = "dwordx4", what = "global_load_dwordx4 streaming", unit = "GB/s",
      low = 867, high = 873, config = { width = 4, ahead = 4, threads = 256, groups = 0 } },
    { study = "gload", id = "dword", what = "global_load_dword streaming", unit = "GB/s",
      low = 814, high = 814, config = { width = 1, ahead = 4, threads = 256, groups = 0 } },
    { study = "card", id = "hbm_read", what = "streaming read", unit = "GB/s", low = 880,
      high = 892, config = { width = 4, ahead = 8, threads = 256, groups = 8 } },
    { study = "card", id = "hbm_copy", what = "streaming copy, read plus written", unit = "GB/s",
      low = 713, high = 718, problem = { op = "copy" },
      config = { width = 4, ahead = 4, threads = 256, groups = 0 } },
    { study = "card", id = "dispatch", what = "floor of one kernel dispatch", unit = "us", low = 4,
      high = 4, problem = { op = "write", n = row, depth = 1 },
      config = { width = 4, ahead = 1, threads = 256, groups = 0 } },
  },

  plots = {
    { name = "width", kind = "lines", title = "Bandwidth of reads over loads in flight",
      x = "ahead", series = "width", value = "gbps", problem = { op = "read" },
      config = { threads = 64, groups = 2 } },
    { name = "groups", kind = "heat", title = "Bandwidth of reads over width and workgroups",
      x = "width", y = "groups", value = "gbps", problem = { op = "read" },
      config = { threads = 64, ahead = 2 } },
    { name = "stride", kind = "lines", title = "Bandwidth used over stride", x = "stride",
      series = "width", value = "gbps", problem = { op = "read", n = 15 << 20 },
      config = { threads = 256, ahead = 4, groups = 0 },
      over = { stride = { 1, 2, 4, 8, 16 } } },
  },
}
