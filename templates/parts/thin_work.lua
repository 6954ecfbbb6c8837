-- thin_work.lua - what a step of a thin product moves, for a guess of its time.
-- SPDX-License-Identifier: MIT

local thin <const> = include "parts/thin.lua"
local types <const> = include "parts/types.lua"
local interleave <const> = include("parts/channels.lua").interleave
local thin_work <const> = {}

local function ceil(x, y) return (x + y - 1) // y end

-- Bytes of so many elements.
local function bytes(count, problem) return count * types.of(problem).bits // 8 end

-- VGPRs that a thread needs: its sums, of so many columns, the vectors of w in flight, those of x,
-- and addresses.
function thin_work.registers(cfg, problem, columns)
  local each <const> = types.of(problem).bits
  local load <const> = ceil(cfg.width * each, 32)
  local w <const> = cfg.rows * cfg.depth // math.min(cfg.width, cfg.rows * cfg.depth) * load
  local x <const> = cfg.x_in == "memory" and ceil(columns * cfg.depth * each, 32) or 0
  return cfg.rows * columns + (w + x) * (cfg.ahead + 1) + cfg.rows + 20
end

-- VGPRs that a thread can have: all waves of a workgroup run at once, and as many as
-- the compiler is told.
local function room(cfg, arch)
  local waves <const> = math.max(cfg.waves, ceil(cfg.waves_k * cfg.waves_r, arch.simds))
  return math.min(arch.vgprs, arch.vgpr_total // waves)
end

-- Those that the compiler has no room for, at a guess: they go to memory and back.
local function spilled(cfg, problem, x, arch)
  local step <const> = cfg.panel > 0 and cfg.columns * x.step_k // x.threads or 0
  local held <const> = step * types.of(problem).bits // 32
  local needed <const> = thin_work.registers(cfg, problem, x.columns) + held
  return math.max(needed - room(cfg, arch), 0)
end

-- What follows is in bytes at the rates that a guess counts with (tuner/session/guess.c), as
-- 1,000 random candidates of five products took on a modelled gfx906 (docs/search.md).

-- How often an access to x in LDS is repeated since lanes want other words of a bank.
-- Of the lanes that are served at once some have their own k, and the others are of
-- rows that take other steps.
local function ways(cfg, problem, x, arch)
  local served <const> = arch.lds_banks // x.read
  local along <const> = math.min(served, cfg.lanes_k)
  local pack <const> = types.pack(problem, arch)
  local chunk <const>, step <const> = ceil(x.chunk, pack), ceil(x.step_k, pack)
  local of_chunks <const> = along > 1 and ceil(along * chunk, arch.lds_banks) or 1
  local turns <const> = math.min(served // along, thin.stagger(cfg, problem, arch))
  local spread <const> = math.max(arch.lds_banks // step, 1)
  return of_chunks * math.max(turns // spread, 1)
end

-- A wave has so many loads of `width` elements, in which `run` lanes are neighbours, in so
-- many groups. The address unit takes four lanes a cycle, or eight where dwords lie in
-- one line; each group asks the L1 for its lines.
local address_bytes <const>, line_bytes <const> = 64, 80
local function asked(loads, width, run, groups, problem, arch)
  local dwords <const> = bytes(width, problem) <= 4 and run >= 16
  local cycles <const> = arch.wave // (dwords and 8 or 4)
  local lines <const> = groups * ceil(bytes(run * width, problem), arch.l1_line)
  return { address = loads * address_bytes * cycles, lines = loads * line_bytes * lines }
end

-- Lanes that are neighbours in a load of w, and groups of them.
local function runs(cfg, x)
  if x.turned then return cfg.lanes_k, x.lanes_r end -- lanes of other columns ask the same
  return x.lanes_r, cfg.lanes_k
end

-- What LDS, the address unit and the L1 do at the same time.
function thin_work.exchanged(cfg, problem, x, arch)
  local run <const>, groups <const> = runs(cfg, x)
  local each <const> = cfg.rows * cfg.depth
  local w <const> = asked(each // math.min(cfg.width, each), cfg.width, run, groups, problem, arch)
  if cfg.x_in == "lds" then
    local words <const> = x.columns * cfg.depth // types.pack(problem, arch)
    return math.max(4 * words * x.threads * ways(cfg, problem, x, arch),
                    w.address * x.threads // arch.wave, w.lines * x.threads // arch.wave)
  end
  local width <const> = thin.x_width(cfg, problem, arch)
  local loads <const> = cfg.columns * cfg.depth // math.min(width, cfg.depth)
  local short <const> = asked(loads, width, cfg.lanes_k, 1, problem, arch)
  return math.max(w.address + short.address, w.lines + short.lines) * x.threads // arch.wave
end

-- Operations of a step. What has no dot product is widened by an instruction each.
function thin_work.flops(cfg, problem, x, arch)
  local flops <const> = 2 * x.group_rows * cfg.columns * x.step_k
  if types.of(problem).bits == 32 or types.pack(problem, arch) > 1 then return flops end
  local own <const> = cfg.rows + (cfg.x_in == "memory" and x.columns or 0)
  return flops + 3 * own * cfg.depth * x.threads
end

-- VGPRs that the compiler takes for a thread.
function thin_work.allowed(cfg, problem, x, arch)
  return math.min(thin_work.registers(cfg, problem, x.columns), room(cfg, arch))
end

-- Rows as far apart as all channels together have the same k on the same channel: the
-- part of the channels that workgroups ask at a time, who begin at other steps of a
-- part of k, and are of as many parts as run beside each other.
local function channels_used(cfg, problem, x, beside, blocks, arch)
  local round <const> = interleave * arch.l2_channels
  if round == 0 or not x.turned or bytes(problem.k, problem) % round ~= 0 then return 1 end
  local parts <const> = math.min(math.max(beside / blocks, 1), cfg.split_k)
  return math.min(parts * math.max(bytes(x.steps * x.step_k, problem), interleave) / round, 1)
end

-- Do the groups of lanes of a load ask few channels for many lines?
local function camps(cfg, problem, x, arch)
  local run <const>, groups <const> = runs(cfg, x)
  local round <const> = interleave * arch.l2_channels
  local row <const> = x.turned and problem.k or problem[x.side.rows]
  if round == 0 or bytes(row, problem) % round ~= 0 then return false end
  local each <const> = math.max(bytes(run * cfg.width, problem) / interleave, 1)
  local turns <const> = x.turned and math.min(thin.stagger(cfg, problem, arch), groups) or 1
  local apart <const> = math.min(bytes(x.step_k, problem) / interleave, 1)
  local used <const> = each * math.max(turns * apart, 1)
  return used < arch.l2_channels and 2 * used <= each * groups
end

-- Workgroups that the card has at once, by registers and LDS.
local function resident(cfg, problem, x, held, arch)
  local waves <const> = cfg.waves_k * cfg.waves_r
  local most <const> = arch.vgpr_total // thin_work.allowed(cfg, problem, x, arch)
  local by_registers <const> = math.min(most, arch.waves_per_simd) * arch.simds // waves
  local by_lds <const> = arch.lds_bytes // math.max(held, 1)
  return math.max(math.min(by_registers, by_lds, arch.max_groups_per_cu), 1) * arch.cus
end

-- Bytes of memory that a step of a workgroup waits for: the lines that the long operand
-- lies in, slower where channels are idle; the short one, in LDS by panels or once for
-- all `each` blocks; and what registers had no room for. `own`: its rows of the long
-- operand; `held`: its bytes of LDS.
function thin_work.fetched(cfg, problem, x, own, each, blocks, held, arch)
  local count, row = own, x.step_k
  if not x.turned then count, row = row, count end
  local once <const> = cfg.x_in == "lds" and cfg.panel == 0
  local beside <const> = resident(cfg, problem, x, held, arch)
  local used <const> = channels_used(cfg, problem, x, beside, blocks, arch)
  local slower <const> = (camps(cfg, problem, x, arch) and 1.2 or 1) / used ^ 0.5
  return count * math.max(bytes(row, problem), arch.l2_line) * slower +
         4 * spilled(cfg, problem, x, arch) * x.threads +
         bytes(cfg.columns * x.step_k, problem) / (once and each or 1)
end

-- What barriers take of a step, and cycles from a load to its data (gen/work.h).
function thin_work.waits(cfg) return cfg.panel > 0 and 0.16 + 1.1 / cfg.panel or 0.16 end
thin_work.latency = 350

return thin_work
