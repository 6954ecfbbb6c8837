# bars.awk - the error bars of modelled times: derived and judged. Runs after
# rank.awk. A point is a line:
#
#   recording session problem kernel kind recorded modelled bar
#
# A session had one clock, which is not recorded: its points have one scale, the
# median of recorded over modelled. The bar of a kind is derived so that it holds
# 80 % of its points, of which a recording's count for 30 where it has more, as the
# largest is not to decide alone; and 80 % of each recording's, where these are 20.
# Of a kind with too few it is that of all. Each kernel is judged by the bars that
# all others give ("left out"), and by the bars that the program gave (the last
# column). Printed is also what bars of other recordings alone would hold, and for
# how many pairs of kernels of one problem both bars together hold the difference.
# Exit status: 1 where one of the two holds less than 80 %, of all points or in the
# mean of the recordings.

BEGIN { FS = "\t"; SHARE = 0.8; FEW = 20; MOST = 30 }

{
  n++
  recording[n] = $1; session[n] = $1 FS $2; problem[n] = $1 FS $2 FS $3
  kernel[n] = $1 FS $4; kind_of[n] = $5; bar[n] = $8
  ratio[n] = $6 / $7
  if (!($1 in seen)) { seen[$1]; name[++names] = $1 }
  if (!($5 in kinds_seen)) { kinds_seen[$5]; kind[++kinds] = $5 }
}

# Off by so much, as a logarithm; without the session's scale. In off_at[] they
# are in order.
function errors(    i, s, m, of, r, scale, v) {
  for (i = 1; i <= n; i++)
    of[session[i]] = of[session[i]] " " i
  for (s in of) {
    m = split(substr(of[s], 2), r, " ")
    split("", v)
    for (i = 1; i <= m; i++)
      v[i] = ratio[r[i]]
    scale = quantile(v, m, 0.5)
    for (i = 1; i <= m; i++)
      off[r[i]] = log(ratio[r[i]] / scale)
  }
  for (i = 1; i <= n; i++)
    size[i] = off[i] < 0 ? -off[i] : off[i]
  order(size, off_at, n)
}

# Is point i of a kind ("": of any), neither of a kernel nor of a recording?
function counts(i, what, but, without) {
  return (!what || kind_of[i] == what) && kernel[i] != but &&
         recording[i] != without
}

# What holds SHARE of a recording's points ("": of all recordings', of which none
# counts for more than MOST).
function holds(share_of, what, but, without, count,    k, i, m, total, sum) {
  for (k in count)
    if (!share_of || k == share_of)
      total += count[k] < MOST ? count[k] : MOST
  for (k = 1; k <= n; k++) {
    i = off_at[k]
    if (!counts(i, what, but, without) ||
        (share_of && recording[i] != share_of))
      continue
    m = count[recording[i]]
    sum += m < MOST ? 1 : MOST / m
    if (sum >= SHARE * total - 1e-9)
      return exp(size[i]) - 1
  }
}

# The bar of a kind ("": of all) without a kernel and without a recording.
function derive(what, but, without,    i, m, k, count, most, one) {
  for (i = 1; i <= n; i++)
    if (counts(i, what, but, without)) {
      count[recording[i]]++
      m++
    }
  if (what && m < FEW)
    return derive("", but, without)
  most = holds("", what, but, without, count)
  for (k in count)
    if (what && count[k] >= FEW) {
      one = holds(k, what, but, without, count)
      most = one > most ? one : most
    }
  return most
}

# How much of the points of a recording and a kind lies in these bars, %.
function held(by, which, what,    i, m, in_it) {
  for (i = 1; i <= n; i++)
    if ((!which || recording[i] == which) && (!what || kind_of[i] == what)) {
      m++
      in_it += size[i] <= log(1 + by[i]) + 1e-9
    }
  points = m
  return m ? 100 * in_it / m : 0
}

# Of pairs of one problem, for how many hypot() of both holds the difference.
function pairs(which,    i, j, both, apart, m, in_it) {
  for (i = 1; i <= n; i++)
    for (j = i + 1; recording[i] == which && j <= n; j++)
      if (problem[i] == problem[j]) {
        both = sqrt(log(1 + bar[i]) ^ 2 + log(1 + bar[j]) ^ 2)
        apart = off[i] - off[j]
        m++
        in_it += (apart < 0 ? -apart : apart) <= both
      }
  points = m
  return m ? 100 * in_it / m : 0
}

# How much of a recording lies in bars of the others alone.
function others(which,    i, alone, other) {
  for (i = 1; i <= n; i++) {
    if (!(kind_of[i] in alone))
      alone[kind_of[i]] = derive(kind_of[i], "", which)
    other[i] = alone[kind_of[i]]
  }
  return held(other, which)
}

function print_kinds(    k, i, r, share) {
  printf "%-10s %7s %7s %9s", "kind", "points", "bar", "left out"
  for (r = 1; r <= names; r++)
    printf " %9s", name[r]
  print "  (left out: held, %)"
  for (k = 1; k <= kinds; k++) {
    share = held(left_out, "", kind[k])
    printf "%-10s %7d %7.3f %9.0f", kind[k], points, derive(kind[k]), share
    for (r = 1; r <= names; r++) {
      share = held(left_out, name[r], kind[k])
      printf " %9s", points ? sprintf("%.0f/%d", share, points) : "-"
    }
    print ""
  }
  printf "%-10s %7d %7.3f\n\n", "any", n, derive("")
}

function print_recordings(    r, share, out) {
  for (r = 1; r <= names; r++) {
    out = held(left_out, name[r])
    share = held(bar, name[r])
    mean_out += out / names
    mean += share / names
    printf "%-10s %5d points: %5.1f %% left out, %5.1f %% in the program's bars",
           name[r], points, out, share
    if (names > 1)
      printf ", %5.1f %% in bars of the others", others(name[r])
    share = pairs(name[r])
    if (points)
      printf "; of %d pairs %.1f %%", points, share
    print ""
  }
}

END {
  if (!n) {
    print "no points"
    exit 1
  }
  errors()
  for (i = 1; i <= n; i++) {
    if (!((kind_of[i], kernel[i]) in without))
      without[kind_of[i], kernel[i]] = derive(kind_of[i], kernel[i])
    left_out[i] = without[kind_of[i], kernel[i]]
  }
  print_kinds()
  print_recordings()
  out = held(left_out)
  share = held(bar)
  printf "all        %5d points: %5.1f %% left out, %5.1f %% in the program's " \
         "bars; the recordings' mean %.1f and %.1f %%; at least 80 are wanted\n",
         points, out, share, mean_out, mean
  least = 100 * SHARE - 0.05
  exit (share < least || mean < least || out < least || mean_out < least)
}
