-- style.lua - one way to write what C lets one write in several.
--
--   lua5.4 tests/tree/style.lua           in the top folder of the checkout
--
-- Initialisers have no blanks inside their braces; && and || end a line that
-- goes on; strings are equal where !strcmp().

local rules <const> = {
  { "%{ [^;{}]* %}", "blanks inside the braces of an initialiser" },
  { "^%s*&& ", "a line that begins with &&; end the one before with it" },
  { "^%s*|| ", "a line that begins with ||; end the one before with it" },
  { "[^!%w_][a-z]*cmp%([^()]*%) == 0", "cmp() == 0; write !cmp()" },
}

local function is_comment(line)
  return line:match("^%s*/[/*]") or line:match("^%s*%*[ /]")
    or line:match("^%s*%*$")
end

local wrong = 0
local function complain(path, number, what)
  wrong = wrong + 1
  print(("%s:%d: %s"):format(path, number, what))
end

for path in io.popen("git ls-files '*.c' '*.h'"):lines() do
  local number = 0
  for line in io.lines(path) do
    number = number + 1
    for _, rule in ipairs(is_comment(line) and {} or rules) do
      if line:gsub('"[^"]*"', '""'):match(rule[1]) then
        complain(path, number, rule[2])
      end
    end
  end
end
os.exit(wrong == 0)
