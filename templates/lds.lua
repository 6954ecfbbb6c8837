-- lds.lua - a tile is written into LDS in one order and read in another, over and
-- over: what its layout costs.
-- SPDX-License-Identifier: MIT

-- Bytes of an element; LDS moves words of four.
local bytes <const> = { f32 = 4, f16 = 2, i8 = 1 }

local function row_words(problem) return problem.columns * bytes[problem.dtype] // 4 end
local function words(problem) return problem.rows * row_words(problem) end

-- Does the consumer see the producer's rows as they are?
local function straight(problem)
  local pattern <const> = problem.pattern
  return pattern == "contiguous" or pattern == "row" or pattern == "broadcast"
end

-- The widest access to neighbours in a row: nothing may tear it apart. (What goes
-- down a column is written word by word.)
local function widest(cfg, problem)
  if problem.pattern == "transpose" then return cfg.read_width end
  return math.max(cfg.write_width, cfg.read_width)
end

-- Words that the XOR keeps together.
local function chunk(cfg, problem) return cfg.unit * widest(cfg, problem) end

-- Words from row to row. The XOR moves columns inside of the row.
local function stride(cfg, problem) return row_words(problem) + cfg.pad end

-- Threads that share a tile, and tiles of a workgroup.
local function sharers(cfg, problem, arch)
  return problem.owner == "wave" and arch.wave or cfg.threads
end
local function tiles(cfg, problem, arch) return cfg.threads // sharers(cfg, problem, arch) end

local function lds(cfg, problem, arch)
  return 4 * tiles(cfg, problem, arch) * problem.rows * stride(cfg, problem)
end

-- Where in LDS the word at row, column is, in bytes from the tile's start.
local function offset(cfg, problem, row, column)
  local moved <const> = column ~ (row & cfg.xor) * chunk(cfg, problem)
  return 4 * (row * stride(cfg, problem) + moved)
end

-- Row and column of vector n in the order of rows.
local function along(problem, n, width)
  local row <const> = row_words(problem)
  return n * width // row, n * width % row
end

-- ... of what a lane reads with instruction n of its wave.
local function read_at(cfg, problem, arch, n, lane)
  local high <const> = problem.down
  local across <const> = arch.wave // high
  if problem.pattern ~= "column" then
    return along(problem, n * across + lane // high, cfg.read_width)
  end
  local blocks <const> = problem.rows // high
  local column <const> = n // blocks * across + lane // high
  return n % blocks * high + lane % high, column * cfg.read_width
end

-- ... of what it writes; element e of a vector that goes down a column.
local function write_at(cfg, problem, arch, n, lane, e)
  local vector <const> = n * arch.wave + lane
  if problem.pattern ~= "transpose" then return along(problem, vector, cfg.write_width) end
  local high <const> = problem.rows // cfg.write_width -- vectors of a column
  return vector % high * cfg.write_width + e, vector // high
end

-- Vectors of a thread and pass that it has read and sums up behind the writes of the
-- next pass, write_ahead of them before each barrier.
local function kept(cfg, problem, arch)
  local step <const> = sharers(cfg, problem, arch) * cfg.ilp * cfg.write_width
  return cfg.write_ahead * (words(problem) // step)
end

-- VGPRs: the words to write, those on their way, those to be summed up later, an
-- address each access, the rest.
local function registers(cfg, problem, arch)
  local share <const> = words(problem) // sharers(cfg, problem, arch)
  local width <const> = problem.pattern == "transpose" and 1 or cfg.write_width
  local read <const> = (cfg.ilp + kept(cfg, problem, arch)) * cfg.read_width
  return share + read + share // cfg.read_width + share // width + 16
end

-- VGPRs that a thread can have: all waves of a workgroup run at once.
local function vgprs(cfg, arch)
  local waves <const> = (cfg.threads + arch.wave - 1) // arch.wave
  return arch.vgprs // ((waves + arch.simds - 1) // arch.simds)
end

-- Published figures of an MI50 (wiki-gfx906: LDS layout standard, latency hiding).
local function layout(id, what, gbps, pattern, pad)
  return {
    study = "lds_layout", id = id, what = what,
    unit = "GB/s", low = gbps, high = gbps,
    problem = { pattern = pattern, tiles = 60, passes = 960 },
    config = { threads = 256, write_width = 4, read_width = 4, ilp = 1, pad = pad, xor = 0,
               unit = 1, write_ahead = 0 },
    note = id == "contiguous" and "how many waves ran is not published; one workgroup of 4 " ..
                                  "a CU fits all three best" or nil,
  }
end
local function width(id, words, low, high)
  return {
    study = "lds_width", id = id, what = "ds_read/write_" .. id .. " stream",
    unit = "TB/s", low = low, high = high,
    problem = { pattern = "contiguous", rows = 8, tiles = 180, passes = 3840 },
    config = { threads = 256, write_width = words, read_width = words, ilp = 1, pad = 0, xor = 0,
               unit = 1, write_ahead = 0 },
    note = id == "b128" and "how many waves ran is not published; three workgroups of 4 " ..
                            "a CU fit all three best" or nil,
  }
end

return {
  meaning = "LDS bandwidth: a tile written by one pattern, read by another",

  problem = {
    { "rows", 64, { min = 1, max = 4096 }, "of the tile" },
    { "columns", 128, { min = 1, max = 65536 }, "of the tile, elements" },
    { "dtype", "f32", { "f32", "f16", "i8" }, "of the elements: how many a word of LDS holds" },
    { "pattern", "column", { "contiguous", "row", "column", "transpose", "broadcast" },
      "of reads: all along, rows shared by lanes, down columns, one word; transpose: of writes" },
    { "down", 0, { 0, 1, 2, 4, 8, 16, 32, 64 },
      "of a wave's lanes: in a column, or sharing a word of a row; 0: as many as there are" },
    { "owner", "group", { "group", "wave" },
      "whose tile it is: a workgroup's, with barriers, or a wave's, without" },
    { "tiles", 240, { min = 1, max = 1 << 20 }, "in all; the default is four a CU of MI50" },
    { "passes", 480, { min = 1, max = 1 << 20 }, "times that a tile is read and written" },
  },

  space = {
    { "threads", { 64, 128, 256, 512, 1024 }, "of a workgroup" },
    { "write_width", { 1, 2, 4 }, "words a write: 1 b32, 2 b64, 4 b128" },
    { "read_width", { 1, 2, 4 }, "words a read: 1 b32, 2 b64, 4 b128" },
    { "ilp", { 1, 2, 4, 8, 16 }, "reads or writes of a thread in flight, from barrier to barrier" },
    { "pad", { 0, 1, 2, 4, 8, 12, 16, 20 }, "words after each row" },
    { "xor", { 0, 1, 3, 7, 15, 31 }, "chunk of a row moves by row & mask; mask + 1 phases" },
    { "unit", { 1, 2, 4 }, "chunk of the XOR, in widest accesses" },
    { "write_ahead", { 0, 1, 2, 4, 8 },
      "reads of the pass before that are summed up between writes and the wait for them" },
  },

  rules = {
    { "read_width=4 or write_width=4 needs b128, which this arch lacks",
      function (cfg, _, arch)
        return arch.ds_b128 == 0 and math.max(cfg.read_width, cfg.write_width) == 4
      end },
    { "threads is over what a workgroup can have",
      function (cfg, _, arch) return cfg.threads > arch.max_threads end },
    { "threads is under the lanes of a wave",
      function (cfg, _, arch) return cfg.threads < arch.wave end },
    { "owner=wave: tiles is not a multiple of threads / lanes of a wave",
      function (cfg, problem, arch) return problem.tiles % tiles(cfg, problem, arch) ~= 0 end },
    { "words of the tile: no multiple of threads * ilp * (either width)",
      function (cfg, problem, arch)
        local step <const> = sharers(cfg, problem, arch) * cfg.ilp
        return words(problem) % (step * cfg.read_width) ~= 0 or
               words(problem) % (step * cfg.write_width) ~= 0
      end },
    { "words of a row are not a multiple of read_width",
      function (cfg, problem) return row_words(problem) % cfg.read_width ~= 0 end },
    { "words of a row (transpose: rows) are no multiple of write_width",
      function (cfg, problem)
        local turned <const> = problem.pattern == "transpose"
        return (turned and problem.rows or row_words(problem)) % cfg.write_width ~= 0
      end },
    { "down does not divide rows, or lanes / down * read_width a row",
      function (cfg, problem, arch)
        local high <const> = problem.down
        if high > arch.wave then return true end
        return problem.pattern == "column" and (problem.rows % high ~= 0 or
               row_words(problem) % (arch.wave // high * cfg.read_width) ~= 0)
      end },
    { "pad is not a multiple of the wider of read_width and write_width",
      function (cfg, problem) return cfg.pad % widest(cfg, problem) ~= 0 end },
    { "pad or xor > 0, but this pattern has no conflicts to remove",
      function (cfg, problem) return straight(problem) and cfg.pad + cfg.xor > 0 end },
    { "unit > 1 means nothing with xor=0",
      function (cfg) return cfg.xor == 0 and cfg.unit > 1 end },
    { "words of a row are no multiple of (xor + 1) * unit * widest access",
      function (cfg, problem)
        return cfg.xor > 0 and row_words(problem) % ((cfg.xor + 1) * chunk(cfg, problem)) ~= 0
      end },
    { "(xor + 1) * unit * widest access is over the LDS banks",
      function (cfg, problem, arch)
        return cfg.xor > 0 and (cfg.xor + 1) * chunk(cfg, problem) > arch.lds_banks
      end },
    { "xor is not below rows",
      function (cfg, problem) return cfg.xor >= problem.rows end },
    { "owner=wave never waits for its writes: write_ahead > 0",
      function (cfg, problem) return problem.owner == "wave" and cfg.write_ahead > 0 end },
    { "write_ahead before each barrier behind writes is over the reads of a pass",
      function (cfg, problem, arch)
        local all <const> = sharers(cfg, problem, arch) * cfg.read_width
        return kept(cfg, problem, arch) > words(problem) // all
      end },
    { "rows * (words of a row + pad) need more LDS than there is",
      function (cfg, problem, arch) return lds(cfg, problem, arch) > arch.lds_bytes end },
    { "threads is too small: a thread's share needs too many registers",
      function (cfg, problem, arch) return registers(cfg, problem, arch) > vgprs(cfg, arch) end },
  },

  launch = function (cfg, problem, arch)
    return {
      { kernel = "lds", grid = { problem.tiles // tiles(cfg, problem, arch), 1, 1 },
        block = { cfg.threads, 1, 1 }, lds = 0,
        args = { "from", "to", "sums", i32(problem.passes) } },
    }
  end,

  buffers = function (_, problem)
    local n <const> = problem.tiles * words(problem)
    return {
      { name = "from", role = "in", type = "i32", elements = n, low = -1 << 30, high = 1 << 30 },
      { name = "to", role = "out", type = "i32", elements = n },
      { name = "sums", role = "out", type = "i32", elements = problem.tiles },
    }
  end,

  reference = "lds",

  -- Every pass writes the tile, and its lanes read as much.
  cost = function (problem)
    return { flops = 0, bytes = 8 * problem.tiles * problem.passes * words(problem),
             memory = "lds" }
  end,

  check = function (cfg, problem, arch)
    return { tiles = 2 * tiles(cfg, problem, arch), passes = math.min(problem.passes, 3) }
  end,

  -- Without `down`, columns take all lanes for which there are rows, rows none.
  complete = function (problem, arch)
    local row <const> = problem.columns * bytes[problem.dtype]
    if row % 4 ~= 0 then
      return nil, "a row has " .. row .. " bytes; it must be a multiple of 4"
    end
    local column = arch.wave
    while problem.rows % column > 0 do column = column // 2 end
    local pattern <const>, down <const> = problem.pattern, problem.down
    if pattern == "broadcast" then return { down = arch.wave } end
    if pattern == "column" then return { down = down > 0 and down or column } end
    return { down = pattern == "row" and (down > 0 and down or arch.wave // 4) or 1 }
  end,

  lds = lds,

  -- The first write and the first read of a wave; a transposing write is one
  -- instruction a word.
  lds_access = function (cfg, problem, arch)
    local list <const> = {}
    local function add(op, width, at)
      list[#list + 1] = {
        name = op .. "_b" .. 32 * width, op = op, bytes = 4 * width,
        address = function (lane)
          local row <const>, column <const> = at(lane)
          return offset(cfg, problem, row, column)
        end,
      }
    end
    local turned <const> = problem.pattern == "transpose"
    for e = 0, turned and cfg.write_width - 1 or 0 do
      add("write", turned and 1 or cfg.write_width,
          function (lane) return write_at(cfg, problem, arch, 0, lane, e) end)
    end
    add("read", cfg.read_width, function (lane) return read_at(cfg, problem, arch, 0, lane) end)
    return list
  end,

  -- The notes do not give the kernels. Of the layout study the ratios and most of
  -- the height follow from a workgroup of 4 waves a CU, a barrier after each
  -- access, and both reads and writes counted; of the widths from the same with
  -- more workgroups a CU.
  figures = {
    layout("contiguous", "contiguous vec4 reads", 4257, "contiguous", 0),
    layout("column_ld32", "columns, rows of 32 vec4", 1865, "column", 0),
    layout("column_ld33", "columns, rows of 33 vec4", 3974, "column", 4),
    width("b32", 1, 1.9, 3.9),
    width("b64", 2, 4.3, 8.8),
    width("b128", 4, 9.5, 11.2),
  },

  plots = {
    { name = "pad_xor", kind = "heat", title = "LDS bandwidth, b128 down columns",
      x = "pad", y = "xor", value = "gbps", problem = { pattern = "column" },
      config = { threads = 256, write_width = 4, read_width = 4, ilp = 4, unit = 1,
                 write_ahead = 0 },
      over = { pad = { 0, 4, 8, 12, 16, 20 }, xor = { 0, 1, 3, 7 } } },
    { name = "pad_xor_b32", kind = "heat", title = "LDS bandwidth, b32 down columns",
      x = "pad", y = "xor", value = "gbps", problem = { pattern = "column", columns = 64 },
      config = { threads = 256, write_width = 1, read_width = 1, ilp = 8, unit = 1,
                 write_ahead = 0 },
      over = { pad = { 0, 1, 2, 4, 8, 16 } } },
    { name = "width", kind = "lines", title = "LDS bandwidth over reads in flight",
      x = "ilp", series = "read_width", value = "gbps",
      problem = { pattern = "contiguous", tiles = 60 },
      config = { threads = 256, write_width = 4, pad = 0, xor = 0, unit = 1, write_ahead = 0 },
      over = { ilp = { 1, 2, 4, 8 } } },
    { name = "write_ahead", kind = "lines",
      title = "LDS bandwidth over the distance from write to wait",
      x = "write_ahead", series = "ilp", value = "gbps",
      problem = { pattern = "contiguous", rows = 8 },
      config = { threads = 64, write_width = 1, read_width = 1, pad = 0, xor = 0, unit = 1 },
      over = { ilp = { 4, 8 } } },
  },
}
