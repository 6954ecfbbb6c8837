-- includes.lua - who includes whom: prints the graph of the folders, and fails
-- where it is not as it must be.
--
--   lua5.4 tests/tree/includes.lua        in the top folder of the checkout
--
-- What must hold: a folder includes only what stands under it in `rank`; a
-- circle has at most CIRCLE files of one folder (NAME.c and NAME.h are one);
-- a folder has at most FILES C files.

local CIRCLE <const>, FILES <const> = 3, 45

-- Each folder may include those above it that it names, and what they may.
local rank <const> = {
  { "base" },
  { "arch", "base" },
  { "gen", "base" },
  { "db", "arch", "base" },
  { "runtimes/sim" },
  { "runtimes/cuda" },
  { "runtimes/sim/isa" },
  { "runtimes/sim/load", "runtimes/sim/isa", "base" },
  { "runtimes/sim/run", "runtimes/sim/load", "runtimes/sim/run/vector",
    "runtimes/sim/run/gfx1250" },
  { "runtimes/sim/run/vector", "runtimes/sim/load", "runtimes/sim/run" },
  { "runtimes/sim/run/gfx1250", "runtimes/sim/load", "runtimes/sim/run" },
  { "runtimes/sim/timing", "runtimes/sim/run", "runtimes/sim", "arch" },
  { "runtimes/sim/check", "runtimes/sim/run", "arch" },
  { "runtimes/sim/api", "runtimes/sim/timing", "runtimes/sim/check" },
  { "runtimes/sim/tool", "base" },
  { "tuner/search", "gen" },
  { "tuner/reference", "gen" },
  { "tuner/options", "tuner/search" },
  { "tuner/conditions", "db" },
  { "tuner/device", "tuner/conditions", "tuner/reference", "db", "runtimes/sim",
    "runtimes/cuda" },
  { "tuner/replay", "tuner/search" },
  { "tuner/session", "tuner/options", "tuner/device" },
  { "tuner/study", "tuner/session" },
  { "ship", "base" },
  { "ship/rocblas", "ship" },
  { "ship/example" },
  { "tuner/pack", "tuner/session", "ship" },
  { "tuner/report", "tuner/session" },
  { "tuner/diagnose", "arch", "base", "runtimes/sim" },
  { "tuner/sweep", "tuner/session" },
  { "tuner/store", "tuner/session" },
  { "tuner/cli", "tuner/study", "tuner/replay", "tuner/pack", "tuner/report",
    "tuner/diagnose", "tuner/sweep", "tuner/store" },
}

local function lines(command)
  local out <const> = {}
  for line in io.popen(command):lines() do
    out[#out + 1] = line
  end
  return out
end

local function folder(path) return path:match("^(.*)/[^/]*$") or "." end

-- Every pair of a file and one that it includes, by full paths.
local function read_includes()
  local pairs_ <const>, files <const> = {}, {}
  for _, path in ipairs(lines("git ls-files '*.c' '*.h'")) do
    if not path:match("^tests/") then
      files[#files + 1] = path
      for line in io.lines(path) do
        local to <const> = line:match('^%s*#%s*include%s+"([^"]+)"')
        if to and to:find("/") then -- else made by the build
          pairs_[#pairs_ + 1] = { path, to }
        end
      end
    end
  end
  return pairs_, files
end

-- reach[a][b]: b can be come to from a.
local function closure(arrows)
  local reach <const> = {}
  for from in pairs(arrows) do
    local seen <const>, todo <const> = {}, { from }
    while #todo > 0 do
      for to in pairs(arrows[table.remove(todo)] or {}) do
        if not seen[to] then
          seen[to] = true
          todo[#todo + 1] = to
        end
      end
    end
    reach[from] = seen
  end
  return reach
end

local failed = 0
local function complain(...)
  failed = failed + 1
  print("WRONG: " .. string.format(...))
end

local includes <const>, files <const> = read_includes()

-- Folders.
local allowed <const>, actual <const>, count <const> = {}, {}, {}
for _, row in ipairs(rank) do
  allowed[row[1]], actual[row[1]], count[row[1]] = {}, {}, 0
  for i = 2, #row do
    allowed[row[1]][row[i]] = true
  end
end
local may <const> = closure(allowed)
for _, path in ipairs(files) do
  local of <const> = folder(path)
  if not allowed[of] then
    complain("%s: tests/tree/includes.lua does not know its folder", path)
  elseif path:match("%.c$") then
    count[of] = count[of] + 1
  end
end
for _, pair in ipairs(includes) do
  local from <const>, to <const> = folder(pair[1]), folder(pair[2])
  if from ~= to and actual[from] then
    actual[from][to] = (actual[from][to] or 0) + 1
    if not may[from][to] then
      complain("%s includes %s", pair[1], pair[2])
    end
  end
end
for _, row in ipairs(rank) do
  local names <const> = {}
  for to, n in pairs(actual[row[1]]) do
    names[#names + 1] = ("%s (%d)"):format(to, n)
  end
  table.sort(names)
  print(("%-24s %3d C files -> %s"):format(row[1], count[row[1]],
    table.concat(names, ", ")))
  if count[row[1]] > FILES then
    complain("%s has %d C files, more than %d", row[1], count[row[1]], FILES)
  end
end

-- Files of one folder.
local units <const> = {}
for _, pair in ipairs(includes) do
  if folder(pair[1]) == folder(pair[2]) then
    local from <const>, to <const> = pair[1]:gsub("%.%w+$", ""),
      pair[2]:gsub("%.%w+$", "")
    units[from] = units[from] or {}
    units[from][to] = from ~= to or nil
  end
end
local reach <const>, told <const> = closure(units), {}
for from in pairs(units) do
  local circle <const> = {}
  for to in pairs(reach[from]) do
    if reach[to] and reach[to][from] then
      circle[#circle + 1] = to
    end
  end
  table.sort(circle)
  if #circle > CIRCLE and not told[circle[1]] then
    told[circle[1]] = true
    complain("a circle of %d files: %s", #circle, table.concat(circle, " "))
  end
end

os.exit(failed == 0)
