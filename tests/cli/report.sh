# report.sh - tune report: a night beside the one before, in every format.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/lib.sh"

make=$1/tests/nights/make_nights
store=$work/store

# nothing to report
expect 1 report --db "$store"
says "has no night of any sweep"
says "tune sweep FILE.lua"
expect 2 report --db "$store" --format txt
says "did you mean 'text'?"
expect 2 report --db "$store" a b c
says "'c' is one word too many"
expect 2 report --db "$store" --gate -3

"$make" "$store" mi50 9 40 0 measured changed
expect 1 report --db "$store" mi60
says "no night of the sweep mi60, but of mi50"
expect 0 report --db "$store"
says "mi50, night of 2026-11-24 01:00 UTC"
says "the night of 2026-11-23 01:00 UTC"
says "1 slower, 1 faster, 36 within the noise, 1 new failure, 1 cut short"
says "38 with a winner, 1 failed, 1 cut"
says "AMD Instinct MI50, 60 CUs: measured"
fits
grep -qE '^ +[0-9.]+ [mun]s +[0-9.]+ [mun]s +\+[4-8]\.[0-9] %   gemm on gfx906' \
  "$out" || fail "the slower problem has no line"
cp "$out" "$work/text"
expect 0 report sweeps/mi50.lua --db "$store" --out "$work/file"
cmp -s "$work/text" "$work/file" || fail "--out is not what is printed"

# the gate: slower by 6 %, and one problem is lost
expect 3 report --db "$store" --gate 5
says "the gate is crossed: 1 problems are slower by 5 % or more, and 1 that had"
expect 3 report --db "$store" --gate 50
says "the gate is crossed: 0 problems"
# the night before was quiet
expect 0 report mi50 20261123 --db "$store" --gate 1
says "night of 2026-11-23"
says_not "20261124"

# what it is compared with
expect 0 report --db "$store" --against 20261120
says "the night of 2026-11-20 01:00 UTC"
expect 1 report --db "$store" --against 2026112
says "has 5 nights that begin with 2026112"
expect 2 report --db "$store" --against 20261124
says "is the night that is reported"
expect 2 report --db "$store" --against nowhere
says "is neither a night, as 20261124T010000Z, nor \`shipped\`, nor a folder"
mkdir -p "$work/tables"
expect 0 report --db "$store" --against "$work/tables"
says "38 new"
TUNE_SHIPPED="$work/tables" expect 0 report --db "$store" --against shipped
says "the shipped tables"

# before any comparison: other clocks, half a night, another card
for kind in clocks cut device mixed; do
  "$make" "$work/$kind" mi50 6 20 0 measured $kind
  expect 0 report --db "$work/$kind"
  fits
  cp "$out" "$work/$kind.text"
done
out=$work/clocks.text last=clocks
says "NOTE: the clocks differ from those of the night of 2026-11-23 01:00 UTC:"
says "1606 MHz, before 1725"
[ "$(grep -n 'NOTE: the clocks' "$out" | cut -d: -f1)" -lt \
  "$(grep -n '  changes' "$out" | cut -d: -f1)" ] || fail "said too late"
out=$work/cut.text last=cut
says "NOTE: this night was cut short, or still runs"
says "10 of 20 problems (50.0 %)"
out=$work/device.text last=device
says "NOTE: 20 problems ran on another device and are not compared: on Radeon VII"
says "20 another device"
out=$work/mixed.text last=mixed
says "NOTE: 20 problems"
says "20 another source"
says_not "slower"
out=$work/out

# a damaged line is left out, and said
sed -i '5s/time_us=/time_uz=/' "$work/cut/nights/mi50/20261124T010000Z.night"
expect 0 report --db "$work/cut"
says "20261124T010000Z.night: damaged lines that are left out: 1"
says "1 lines of this night are damaged and were not used"

# for programs: a well-known consumer reads each
expect 0 report --db "$store" --format markdown
says "# mi50, night of 2026-11-24 01:00 UTC"
says "| slower | 1 |"
expect 0 report --db "$store" --json
python3 - "$out" <<'END' || fail "the JSON is not what docs/sweeps.md says"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["type"] == "report" and r["night"] == "20261124T010000Z" and r["whole"]
assert r["counts"]["slower"] == 1 and r["counts"]["failed"] == 1
assert len(r["nights"]) == 9 and len(r["problems"]) == 40
slower = [p for p in r["problems"] if p["verdict"] == "slower"]
assert 4 < slower[0]["change_percent"] < 8 and slower[0]["p"] < 1e-5
assert slower[0]["now"]["time_us"] > slower[0]["before"]["time_us"]
assert all(len(f["speed"]) == 9 for f in r["families"])
END
expect 3 report --db "$store" --format junit --gate 3
if /usr/bin/python3 -c 'import junitparser' 2>/dev/null; then
  /usr/bin/python3 - "$out" <<'END' || fail "junitparser does not read the report"
import sys
from junitparser import JUnitXml, Failure, Skipped
xml = JUnitXml.fromfile(sys.argv[1])
assert (xml.tests, xml.failures) == (40, 2), (xml.tests, xml.failures)
cases = [c for suite in xml for c in suite]
bad = [c for c in cases if any(isinstance(x, Failure) for x in c.result)]
assert len(cases) == 40 and len(bad) == 2
assert sum(isinstance(x, Skipped) for c in cases for x in c.result) == 1
assert all(c.name and c.classname == "gfx906." + c.classname[7:] for c in cases)
END
else
  echo "skipped: JUnit XML, for python3-junitparser is not installed"
fi

# one page, with nothing from elsewhere (./check page opens it)
"$make" "$work/page" '<!--<script>' 3 20 30 modelled changed
if [ -e /usr/share/nodejs/d3/dist/d3.min.js ]; then
  expect 0 report --db "$work/page" --format html --out "$work/page.html"
  python3 - "$work/page.html" <<'END' || fail "the page is not whole"
import json, re, sys
page = open(sys.argv[1]).read()
assert page.count("</html>") == 1 and len(page) < 1e6
assert page.count("<script") == 3 and page.count("</script>") == 3
assert not re.search(r'(?:src|href)="(?!#|data:)', page)
data = page.split('id="data">')[1].split("</script>")[0]
d = json.loads(data)
assert d["sweep"] == "<!--<script>" and len(d["nights"]) == 3
assert len(d["problems"]["brief"]) == 20 and len(d["problems"]["clock"]) == 20
assert len(d["families"]) == 2
gemm = [f for f in d["families"] if f["family"] == "gemm"][0]
# make_nights makes tile_m matter most
top = max(gemm["tunables"], key=lambda t: t["share"])
assert top["name"] == "tile_m" and 0.3 < top["share"] <= 1
END
else
  expect 1 report --db "$work/page" --format html
  says "apt-get install node-d3"
  echo "skipped: the page, for node-d3 is not installed"
fi
end
