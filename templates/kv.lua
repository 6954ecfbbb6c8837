-- kv.lua - the cache of keys and values of attention: written token by token, read
-- by dot products with a query, or streamed along the tokens.
-- SPDX-License-Identifier: MIT

local bytes <const> = { f32 = 4, f16 = 2, i8 = 1 }

-- A vector of the cache lies along dim in [head][seq][dim], along seq in the other.
local function dims(cfg, problem) return problem.layout == "hsd" and cfg.width or 1 end
local function tokens(cfg, problem) return problem.layout == "hds" and cfg.width or 1 end

-- Threads that share the dot products of one vector of tokens.
local function sharers(cfg, problem)
  return cfg.span == "dim" and problem.dim // dims(cfg, problem) or 1
end

-- Tokens that a workgroup or, of read_seq, a slice takes at a time: seq is a multiple.
local function unit(cfg, problem)
  local each <const> = tokens(cfg, problem)
  if problem.op == "write" then return each end
  if problem.op == "read_seq" then return each * cfg.ahead * cfg.split end
  local rows <const> = math.max(cfg.threads // sharers(cfg, problem), 1)
  return each * rows * (cfg.span == "dim" and cfg.ahead or 1)
end

-- Vectors along the way that neighbouring threads go, and how often they go it.
local function extent(cfg, problem)
  local across <const>, heads <const> = problem.dim // dims(cfg, problem), problem.heads
  local down <const> = problem.tokens // tokens(cfg, problem)
  if problem.op == "read_seq" then return heads * across, cfg.split, 1 end
  if cfg.span == "dim" then return heads * across, down, 1 end
  return down, across, heads
end

local function grid(cfg, problem)
  if problem.op == "read_dot" then
    return { problem.seq // unit(cfg, problem), problem.heads, 1 }
  end
  local x <const>, y <const>, z <const> = extent(cfg, problem)
  return { (x + cfg.threads - 1) // cfg.threads, y, z }
end

-- Sums of waves meet in LDS where a dot product takes several.
local function lds(cfg, problem, arch)
  local each <const> = problem.op == "read_dot" and sharers(cfg, problem) or 1
  return each > arch.wave and 4 * tokens(cfg, problem) * cfg.ahead * (cfg.threads // arch.wave) or 0
end

return {
  meaning = "KV cache of attention: written, dotted with a query, streamed",

  problem = {
    { "op", "read_dot", { "write", "read_dot", "read_seq" },
      "new tokens stored; keys times query; values added up along the tokens" },
    { "layout", "hsd", { "hsd", "hds" }, "[head][seq][dim] or [head][dim][seq]" },
    { "cache", "f32", { "f32", "f16", "i8" }, "elements; an i8 of 127 stands for 1" },
    { "heads", 32, { min = 1, max = 1024 }, "heads of the cache" },
    { "seq", 4096, { min = 1, max = 1 << 24 }, "tokens that the cache holds" },
    { "dim", 128, { 64, 128, 256 }, "elements of a head's key or value" },
    { "tokens", 0, { min = 0, max = 1 << 24 }, "new ones, the last, that are written; 0: all" },
  },

  space = {
    { "width", { 1, 2, 4, 8, 16 }, "elements of the cache an access" },
    { "span", { "dim", "seq" }, "what neighbouring threads run along" },
    { "threads", { 32, 64, 128, 256 }, "threads a workgroup" },
    { "ahead", { 1, 2, 4, 8 }, "loads that a thread has in flight" },
    { "split", { 1, 4, 16, 64 }, "slices of the tokens, added up by a second kernel" },
  },

  rules = {
    { "width elements of the cache are over 16 bytes",
      function (cfg, problem) return cfg.width * bytes[problem.cache] > 16 end },
    { "cache=f16 needs a compiler for amdgcn",
      function (_, problem, arch) return problem.cache == "f16" and arch.amdgcn == 0 end },
    { "op=write has no loads in flight: ahead > 1",
      function (cfg, problem) return problem.op == "write" and cfg.ahead > 1 end },
    { "op=read_seq needs span=dim: a thread keeps its dim",
      function (cfg, problem) return problem.op == "read_seq" and cfg.span == "seq" end },
    { "split > 1 needs op=read_seq, which adds up slices",
      function (cfg, problem) return problem.op ~= "read_seq" and cfg.split > 1 end },
    { "span=dim: dim / width (hds: dim) is over threads",
      function (cfg, problem)
        return problem.op == "read_dot" and sharers(cfg, problem) > cfg.threads
      end },
    { "span=seq: ahead * width (hds: ahead) is over dim",
      function (cfg, problem)
        return problem.op == "read_dot" and cfg.span == "seq" and
               cfg.ahead * dims(cfg, problem) > problem.dim
      end },
    { "seq or tokens is no multiple of what a workgroup or slice takes",
      function (cfg, problem)
        return (problem.seq | problem.tokens) % unit(cfg, problem) ~= 0
      end },
    { "half of threads is enough for all accesses side by side",
      function (cfg, problem)
        return problem.op ~= "read_dot" and cfg.threads > 32 and
               cfg.threads // 2 >= extent(cfg, problem)
      end },
  },

  launch = function (cfg, problem)
    local p <const> = problem
    local args <const> = {
      write = { "fresh", "cache", i32(p.heads), i32(p.seq), i32(p.tokens) },
      read_dot = { "query", "cache", "scores", i32(p.seq) },
      read_seq = { "cache", cfg.split > 1 and "sums" or "total", i32(p.heads), i32(p.seq) },
    }
    local list <const> = { { kernel = "kv", grid = grid(cfg, p),
                             block = { cfg.threads, 1, 1 }, lds = 0, args = args[p.op] } }
    if cfg.split > 1 then
      list[2] = { kernel = "add", grid = { (p.heads * p.dim + 255) // 256, 1, 1 },
                  block = { 256, 1, 1 }, lds = 0, args = { "sums", "total", i32(p.heads * p.dim) } }
    end
    return list
  end,

  buffers = function (cfg, problem)
    local p <const> = problem
    local most <const> = p.cache == "i8" and 127 or 1
    local function of(name, role, elements)
      return { name = name, role = role, type = "f32", elements = elements, low = -1, high = 1 }
    end
    local cache <const> = { name = "cache", role = p.op == "write" and "out" or "in",
                            type = p.cache, elements = p.heads * p.seq * p.dim,
                            low = -most, high = p.cache == "i8" and 128 or 1 }
    if p.op == "write" then return { of("fresh", "in", p.tokens * p.heads * p.dim), cache } end
    if p.op == "read_dot" then
      return { of("query", "in", p.heads * p.dim), cache, of("scores", "out", p.heads * p.seq) }
    end
    local list <const> = { cache, of("total", "out", p.heads * p.dim) }
    if cfg.split > 1 then list[3] = of("sums", "scratch", cfg.split * p.heads * p.dim) end
    return list
  end,

  reference = "kv",

  -- What the cache's side of the kernel moves; a dot product also loads the query.
  -- The study counts so: twice its 357.6 GB/s of a write is what a copy reaches on
  -- these cards (713..718), half its 1.76 TB/s of a dot is what a read does (880).
  cost = function (problem)
    local each <const> = bytes[problem.cache] + (problem.op == "read_dot" and 4 or 0)
    return { bytes = problem.heads * problem.tokens * problem.dim * each,
             memory = problem.op == "read_dot" and "cache" or "hbm" }
  end,

  -- Two heads; of the tokens two of what a workgroup takes.
  check = function (cfg, problem)
    local few <const> = math.max(2 * unit(cfg, problem), 32)
    local part <const> = problem.tokens < problem.seq
    return { heads = 2, seq = few, tokens = part and few // 2 or few }
  end,

  complete = function (problem)
    local p <const> = problem
    if p.tokens > p.seq then
      return nil, "tokens=" .. p.tokens .. " is more than seq=" .. p.seq
    end
    local all <const> = p.op ~= "write" or p.tokens == 0
    return { tokens = all and p.seq or p.tokens }
  end,

  lds = lds,

  figures = {
    { study = "kv_write", id = "hsd_x4", unit = "GB/s", low = 357.6, high = 357.6,
      what = "new-token write, float cache, dim 128, heads 32, seq 4096",
      problem = { op = "write" }, config = { width = 4, span = "dim", threads = 128 } },
    { study = "kv_write", id = "hsd_x1", unit = "GB/s", low = 357.6, high = 357.6,
      what = "same, scalar stores",
      problem = { op = "write" }, config = { width = 1, span = "dim", threads = 128 } },
    { study = "kv_write", id = "hds_x4", unit = "GB/s", low = 54.4, high = 54.4,
      what = "same, layout [head][dim][seq], x4", problem = { op = "write", layout = "hds" },
      config = { width = 4, span = "dim", threads = 128 } },
    { study = "kv_write", id = "hds_x1", unit = "GB/s", low = 14.0, high = 14.0,
      what = "same, scalar stores", problem = { op = "write", layout = "hds" },
      config = { width = 1, span = "dim", threads = 128 } },
    { study = "kv_read_dot", id = "hsd_x4", unit = "TB/s", low = 1.76, high = 1.76,
      what = "per-sequence dot over dim, one block a (head, seq) row",
      problem = { op = "read_dot" },
      config = { width = 4, span = "dim", threads = 32, ahead = 1 } },
    { study = "kv_read_dot", id = "hds_x4", unit = "TB/s", low = 0.37, high = 0.37,
      what = "same, layout [head][dim][seq]", problem = { op = "read_dot", layout = "hds" },
      config = { width = 4, span = "dim", threads = 128, ahead = 1 } },
    { study = "kv_read_seq", id = "hsd_x1", unit = "GB/s", low = 45.0, high = 45.0,
      what = "each thread keeps its dim and streams seq", problem = { op = "read_seq" },
      config = { width = 1, span = "dim", threads = 128, ahead = 1, split = 1 } },
    { study = "kv_read_seq", id = "hsd_x4", unit = "GB/s", low = 41.5, high = 41.5,
      what = "same, x4", problem = { op = "read_seq" },
      config = { width = 4, span = "dim", threads = 32, ahead = 1, split = 1 } },
    { study = "kv_read_seq", id = "hds_x4", unit = "GB/s", low = 73.7, high = 73.7,
      what = "same, layout [head][dim][seq], x4", problem = { op = "read_seq", layout = "hds" },
      config = { width = 4, span = "dim", threads = 128, ahead = 1, split = 1 },
      note = "64 lines 16 KiB apart a load: a turn is 1530 cycles, 870 of the model's" },
  },

  plots = {
    { name = "write", kind = "lines", title = "KV-cache write, threads along dim", x = "width",
      series = "layout", value = "gbps", problem = { op = "write" },
      config = { span = "dim", threads = 128 }, over = { width = { 1, 2, 4 } } },
    { name = "dot", kind = "lines", title = "Keys times query, threads along dim", x = "width",
      series = "layout", value = "gbps", problem = { op = "read_dot" },
      config = { span = "dim", threads = 256, ahead = 2 }, over = { width = { 1, 2, 4 } } },
    { name = "seq", kind = "lines", title = "Values streamed along the tokens, over slices",
      x = "split", series = "layout", value = "gbps", problem = { op = "read_seq" },
      config = { width = 4, threads = 64, ahead = 4 } },
  },
}
