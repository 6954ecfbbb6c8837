-- lane.lua - x = exchange(x) + own, over and over: what moving data between
-- lanes costs by each way that there is.
-- SPDX-License-Identifier: MIT

-- DPP reaches the 16 lanes of one of its rows, ds_swizzle a group of 32.
local dpp_row <const>, swizzle_row <const> = 16, 32

-- Steps of a butterfly over so many lanes.
local function steps(lanes) return lanes == 1 and 0 or 1 + steps(lanes // 2) end

-- A sum over more than a wave ends in LDS whatever the path in the wave is.
local function within(cfg, problem, arch)
  return problem.op == "sum" and math.min(problem.row, arch.wave) or problem.row
end

local function through_lds(cfg) return cfg.path == "lds" or cfg.path == "lds_wave" end

-- Do sums of waves meet in LDS?
local function beyond(cfg, problem, arch)
  return problem.op == "sum" and problem.row > arch.wave and cfg.path ~= "lds"
end

-- Through the operands of vector instructions.
local function through_dpp(cfg) return cfg.path == "dpp" or cfg.path == "dpp_copy" end

-- Each of a thread's values has a slot in LDS, or a wave's sum of them.
local function lds(cfg, problem, arch)
  local slots <const> = through_lds(cfg) and problem.group or 0
  local sums <const> = beyond(cfg, problem, arch) and problem.group // arch.wave or 0
  return 4 * cfg.ilp * (slots + sums)
end

return {
  meaning = "data moved between lanes: x = exchange(x) + own, many rounds",

  problem = {
    { "op", "shift", { "shift", "rotate", "xor", "broadcast", "permute", "sum" },
      "which lane a lane takes from; sum: the total of its row" },
    { "row", 16, { 16, 32, 64, 128, 256, 512, 1024 }, "lanes that exchange with each other" },
    { "by", 1, { min = 0, max = 1023 },
      "distance of shift and rotate, mask of xor, lane of broadcast" },
    { "rounds", 2048, { min = 1, max = 1 << 24 }, "exchanges in a row" },
    { "group", 256, { 64, 128, 256, 512, 1024 }, "threads a workgroup" },
    { "n", 60 * 40 * 64 * 8, { min = 64, max = 1 << 30 },
      "values; the default fills 60 CUs eight times" },
  },

  space = {
    { "path", { "dpp", "dpp_copy", "swizzle", "bpermute", "readlane", "lds_wave", "lds" },
      "by which instructions; dpp_copy: DPP into a register set before; lds with barriers, " ..
      "lds_wave within waves, without" },
    { "ilp", { 1, 2, 4, 8 }, "values that a thread moves independently" },
    { "unroll", { 1, 4, 16 }, "rounds in a turn of the loop" },
  },

  rules = {
    { "path=dpp and dpp_copy need DPP, which this arch lacks",
      function (cfg, _, arch) return through_dpp(cfg) and arch.dpp == 0 end },
    { "path=dpp_copy is for op=shift; otherwise it is path=dpp",
      function (cfg, problem) return cfg.path == "dpp_copy" and problem.op ~= "shift" end },
    { "path=swizzle needs ds_swizzle, which this arch lacks",
      function (cfg, _, arch) return cfg.path == "swizzle" and arch.ds_swizzle == 0 end },
    { "path=dpp with op=shift or rotate needs row=16",
      function (cfg, problem)
        local op <const> = problem.op
        return through_dpp(cfg) and (op == "shift" or op == "rotate") and problem.row ~= dpp_row
      end },
    { "path=dpp with op=xor needs by < 16: DPP stays in 16 lanes",
      function (cfg, problem)
        return cfg.path == "dpp" and problem.op == "xor" and problem.by >= dpp_row
      end },
    { "path=dpp has no op=broadcast and no op=permute",
      function (cfg, problem)
        local op <const> = problem.op
        return cfg.path == "dpp" and (op == "broadcast" or op == "permute")
      end },
    { "path=swizzle has no op=shift and no op=permute",
      function (cfg, problem)
        local op <const> = problem.op
        return cfg.path == "swizzle" and (op == "shift" or op == "permute")
      end },
    { "path=swizzle stays in 32 lanes: row, or by of op=xor, is over",
      function (cfg, problem)
        local op <const> = problem.op
        return cfg.path == "swizzle" and
               (op == "xor" and problem.by >= swizzle_row or
                (op == "rotate" or op == "broadcast") and problem.row > swizzle_row)
      end },
    { "path=readlane needs op=broadcast and row = lanes of a wave",
      function (cfg, problem, arch)
        return cfg.path == "readlane" and (problem.op ~= "broadcast" or problem.row ~= arch.wave)
      end },
    { "row is over the lanes of a wave: it needs path=lds",
      function (cfg, problem, arch)
        return cfg.path ~= "lds" and within(cfg, problem, arch) > arch.wave
      end },
    { "rounds is not a multiple of unroll",
      function (cfg, problem) return problem.rounds % cfg.unroll ~= 0 end },
    { "n is not a multiple of group * ilp",
      function (cfg, problem) return problem.n % (problem.group * cfg.ilp) ~= 0 end },
    { "group is over the threads that a workgroup can have",
      function (_, problem, arch) return problem.group > arch.max_threads end },
    { "ilp values of each thread of group need more LDS than there is",
      function (cfg, problem, arch) return lds(cfg, problem, arch) > arch.lds_bytes end },
  },

  launch = function (cfg, problem)
    local p <const> = problem
    local args <const> = { "x", "y", i32(p.rounds) }
    if p.op == "permute" then args[4] = "keys" end
    return { { kernel = "lane", grid = { p.n // (p.group * cfg.ilp), 1, 1 },
               block = { p.group, 1, 1 }, lds = 0, args = args } }
  end,

  buffers = function (_, problem)
    local list <const> = {
      { name = "x", role = "in", type = "i32", elements = problem.n, low = -1000000,
        high = 1000000 },
      { name = "y", role = "out", type = "i32", elements = problem.n },
    }
    if problem.op == "permute" then
      list[3] = { name = "keys", role = "in", type = "i32", elements = problem.row,
                  low = -1000000, high = 1000000 }
    end
    return list
  end,

  reference = "lane",

  -- A sum counts as the exchanges of a butterfly.
  cost = function (problem)
    local moves <const> = problem.op == "sum" and steps(problem.row) or 1
    return { exchanges = problem.n * problem.rounds * moves }
  end,

  -- Two workgroups at the highest ilp, three turns of the longest loop.
  check = function (_, problem) return { n = 16 * problem.group, rounds = 48 } end,

  complete = function (problem)
    local p <const> = problem
    if p.row > p.group then
      return nil, "row=" .. p.row .. " does not fit into group=" .. p.group
    end
    local fixed <const> = p.op == "permute" or p.op == "sum"
    if not fixed and p.by >= p.row then
      return nil, "by=" .. p.by .. " is not within row=" .. p.row
    end
    if not fixed and p.op ~= "broadcast" and p.by == 0 then
      return nil, "by=0 leaves every value where it is"
    end
    if p.n % p.group ~= 0 then
      return nil, "n=" .. p.n .. " is not a multiple of group=" .. p.group
    end
    return fixed and { by = 0 } or {}
  end,

  lds = lds,

  -- One value a thread, one exchange a turn of the loop: the plainest kernels that
  -- do what the study says; its own are not published. It found v_mov_b32_dpp in the
  -- code: that takes 3 vector instructions a round as __builtin_amdgcn_update_dpp(0, x,
  -- 0x111, 0xf, 0xf, false) is compiled, which sets its destination to 0 first, and 2
  -- with old = x or as __builtin_amdgcn_mov_dpp; what DPP is part of an addition has 1.
  figures = {
    { study = "lane", id = "dpp_row_shr", what = "v_mov_b32_dpp row_shr:1", unit = "Gxchg/s",
      low = 1778, high = 1784, problem = { op = "shift" },
      config = { path = "dpp_copy", ilp = 1, unroll = 1 },
      note = "three vector instructions a round, as with old = 0; two (path=dpp) would be 3180" },
    { study = "lane", id = "lds_row_shr", what = "same exchange through LDS with barriers",
      unit = "Gxchg/s", low = 906, high = 906, problem = { op = "shift" },
      config = { path = "lds", ilp = 1, unroll = 1 } },
    { study = "lane", id = "ds_bpermute", what = "ds_bpermute_b32, XOR neighbour",
      unit = "Gxchg/s", low = 962, high = 970, problem = { op = "xor" },
      config = { path = "bpermute", ilp = 1, unroll = 1 } },
    { study = "lane", id = "lds_xor", what = "same exchange through LDS store, load, barriers",
      unit = "Gxchg/s", low = 905, high = 907, problem = { op = "xor" },
      config = { path = "lds", ilp = 1, unroll = 1 } },
  },

  plots = {
    { name = "shift", kind = "lines", title = "Row shift over independent values, by path",
      x = "ilp", series = "path", value = "gxchgps", problem = { op = "shift" },
      config = { unroll = 4 } },
    { name = "sum", kind = "lines", title = "Sum over 64 lanes over independent values, by path",
      x = "ilp", series = "path", value = "gxchgps", problem = { op = "sum", row = 64 },
      config = { unroll = 4 } },
  },
}
