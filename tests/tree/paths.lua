-- paths.lua - every path of the tree that a document names exists, and every
-- section that the tree names as docs/NAME.md#SECTION; tests/README.md has every
-- folder and suite of tests/. A word in capitals (tests/AREA/NAME.c) stands for
-- any.
--
--   lua5.4 tests/tree/paths.lua           in the top folder of the checkout

local folders <const> = {} -- top folders that are in git
for path in io.popen("git ls-files"):lines() do
  local top <const> = path:match("^([^/]+)/")
  if top then
    folders[top] = true
  end
end

local function exists(path)
  local any <const> = path:gsub("%f[%u]%u+%f[%U]", "*")
  local quoted <const> = "'" .. any:gsub("%*", "'*'") .. "'"
  return os.execute("ls -d " .. quoted .. " >/dev/null 2>&1")
end

local missing = 0
for document in io.popen("git ls-files '*.md' 'docs/*'"):lines() do
  local number = 0
  for line in io.lines(document) do
    number = number + 1
    for path in line:gmatch("[%w_.*/-]+") do
      local top <const> = path:match("^([%w_]+)/")
      path = path:gsub("[.]+$", ""):gsub("/$", "")
      if folders[top] and not exists(path) then
        missing = missing + 1
        print(("%s:%d: there is no %s"):format(document, number, path))
      end
    end
  end
end

local function has_section(document, section)
  for line in io.lines(document) do
    if line:match("^#+ (.*)") == section then
      return true
    end
  end
end

local named <const> = io.popen("git grep -nE 'docs/[a-z]+[.]md#[a-z]'")
for line in named:lines() do
  for document, section in line:gmatch("(docs/%l+%.md)#([%l%d_]+)") do
    if not has_section(document, section) then
      missing = missing + 1
      print(("%s: there is no section '%s'"):format(line:match("^[^:]+:%d+"),
                                                   section))
    end
  end
end

local wanted <const> = {}
for path in io.popen("git ls-files 'tests/*/*'"):lines() do
  wanted[path:match("^tests/([^/]+/)")] = true
  local suite <const> = path:match("^tests/suites/([^/]+)$")
  if suite then
    wanted["./check " .. suite] = true
  end
end
local guide <const> = assert(io.open("tests/README.md")):read("a")
for text in pairs(wanted) do
  if not guide:find(text, 1, true) then
    missing = missing + 1
    print(("tests/README.md: what is %s for?"):format(text))
  end
end
os.exit(missing == 0)
