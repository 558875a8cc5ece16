#!/bin/bash
# Records what the vendor's disassemblers print, on a computer with the whole CUDA toolkit:
#
#   tests/isa/record_vectors.sh OUT [GEMMSCOPE]
#
# compiles kernels/*.cu for every architecture at several optimization levels and writes
#   OUT/sass_vectors_own.csv.gz       arch,address,lo,hi,text: what cuobjdump -sass prints, a limited number of
#                                     instructions of each pattern (text without register numbers and constants)
#   OUT/sass_vectors_mutants.csv.gz   the same from nvdisasm for changed bits of such instructions (needs python3)
#   OUT/sass_rejected.csv.gz          arch,0,lo,hi of the changed instructions that nvdisasm refuses
# GEMMSCOPE is the program to compare with, if it runs there. SAMPLES, MUTANTS and JOBS may be set.
set -u -o pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: record_vectors.sh OUT [GEMMSCOPE]}
gemmscope=${2:-}
samples=${SAMPLES:-6}
mutants=${MUTANTS:-90000}
jobs=${JOBS:-$(nproc)}
for tool in nvcc cuobjdump; do
  command -v $tool > /dev/null || export PATH=$PATH:/usr/local/cuda/bin
  command -v $tool > /dev/null || { echo "record_vectors: $tool was not found; add the CUDA toolkit's bin to PATH"; exit 1; }
done
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export here work

# Turns one kernel file, for one architecture at one optimization level, into rows.
record() {
  local name=$1 arch=$2 level=$3 base=$work/$1.$2.$3
  shift 3
  nvcc -w -std=c++17 -cubin -arch=sm_$arch "$@" -o $base.cubin $here/kernels/$name.cu 2> $base.log ||
    { echo "record_vectors: $name for sm_$arch, $level, does not compile: $(grep -m1 error $base.log)"; return; }
  # An instruction and its low word are on one line, its high word is on the next.
  cuobjdump -sass $base.cubin | awk -v arch=${arch%a} '
    match($0, /\/\* 0x[0-9a-f]+ \*\//) {
      word = substr($0, RSTART + 5, 16)
      if (match($0, /^[ \t]*\/\*[0-9a-f]+\*\//)) {
        address = substr($0, RSTART, RLENGTH); gsub(/[^0-9a-f]/, "", address); sub(/^0+/, "", address)
        text = substr($0, RSTART + RLENGTH); sub(/\/\* 0x.*/, "", text)
        gsub(/[ \t]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text)
        low = word
      } else if (low != "") {
        print arch "," (address == "" ? "0" : address) "," low "," word ",\"" text "\""
        low = ""
      }
    }' > $base.rows
}
export -f record

list_jobs() {
  local arch file name level
  for file in "$here"/kernels/*.cu; do
    name=$(basename $file .cu)
    for arch in 75 80 86 89 90; do
      [ $name = warpgroup ] && { [ $arch = 90 ] || continue; arch=90a; }
      echo record $name $arch optimized
      echo record $name $arch little -Xptxas -O1
      echo record $name $arch fast -use_fast_math -maxrregcount=40
      echo record $name $arch debug -G
      echo record $name $arch none -Xptxas -O0
    done
  done
}
list_jobs | xargs -P $jobs -I{} bash -c '{}'
echo "compiled: $(ls $work/*.cubin | wc -l) cubins, $(cat $work/*.rows | wc -l) instructions, after $SECONDS s"

# Words are compared without stall counts and scoreboards (bits 105-121); reuse flags count.
{
  echo arch,address,lo,hi,text
  for arch in 75 80 86 89 90; do
    cat $work/*.$arch.*.rows $work/*.${arch}a.*.rows 2> /dev/null | awk -F, -v samples=$samples '
      {
        digit = index("0123456789abcdef", substr($4, 2, 1)) - 1
        high = substr($4, 1, 1) int(digit / 4) (index("13579bdf", substr($4, 6, 1)) > 0 ? 1 : 0) substr($4, 7)
        if (($3 high) in seen) next
        seen[$3 high]
        pattern = $0; sub(/^[^"]*/, "", pattern)
        gsub(/R[0-9]+/, "R", pattern); gsub(/P[0-6]/, "P", pattern); gsub(/B[0-9]+,/, "B,", pattern)
        gsub(/-?0x[0-9a-f]+/, "#", pattern); gsub(/ -?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/, " #", pattern)
        if (++count[pattern] <= samples) print
      }'
  done
} > $work/own.csv
gzip -9nc $work/own.csv > "$out/sass_vectors_own.csv.gz"
awk -F, 'NR > 1 {n[$1]++} END {for (a in n) print "sm_" a ": " n[a] " rows"}' $work/own.csv | sort
echo "sass_vectors_own.csv.gz: $(wc -c < "$out/sass_vectors_own.csv.gz") bytes, after $SECONDS s"

if command -v python3 > /dev/null && command -v nvdisasm > /dev/null; then
  python3 - $work/own.csv $work $mutants $jobs << 'PYTHON'
import concurrent.futures, csv, random, re, struct, subprocess, sys
own, work, limit, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
BATCH = 20
LABELS = re.compile(r'(BRA|BSSY|BRX|JMP|JMX|CALL|RET|LEPC|WARPSYNC|RPCMOV|PRET)')  # these print names of places

def changed(words, rng):
    """Neighbours of an instruction: single bits of the form, the signs and the modifiers, and pairs of them."""
    bits = [*range(9, 12), *range(58, 64), *range(64, 105)]
    single = [words ^ 1 << b for b in bits]
    double = [words ^ 1 << a ^ 1 << b for a, b in (rng.sample(bits[9:], 2) for _ in range(40))]
    return single + double

def decode(task):
    arch, number, words = task
    accepted, refused = [], []
    while words:
        path = f'{work}/mutant.{arch}.{number}'
        with open(path, 'wb') as f:
            f.write(b''.join(struct.pack('<QQ', w & (1 << 64) - 1, w >> 64) for w in words))
        run = subprocess.run(['nvdisasm', '--binary', f'SM{arch}', '--print-raw', path], capture_output=True, text=True)
        at = re.search(r'address\s+(0x[0-9a-fA-F]+)', run.stderr + run.stdout) if run.returncode else None
        if run.returncode == 0:
            for line in run.stdout.splitlines():
                m = re.match(r'\s*/\*([0-9a-f]+)\*/\s+(.*;)', line)
                if m and int(m[1], 16) // 16 < len(words):
                    accepted.append((int(m[1], 16), words[int(m[1], 16) // 16], ' '.join(m[2].split())))
            break
        bad = int(at[1], 16) // 16 if at and int(at[1], 16) // 16 < len(words) else 0
        refused.append(words[bad])
        words = words[:bad] + words[bad + 1:]
    return arch, accepted, refused

examples = {}
for row in csv.DictReader(open(own)):
    words = int(row['lo'], 16) | int(row['hi'], 16) << 64
    if not LABELS.search(row['text']):
        name = re.sub(r'@!?U?P\w+ ', '', row['text']).split()[0]
        examples.setdefault((row['arch'], words & 0xfff), {}).setdefault(name, words)
rng = random.Random(13)
per_arch = {}
for (arch, _), names in sorted(examples.items()):
    if arch in ('86',): continue  # the same table as 80
    for words in [names[n] for n in sorted(names)][:3]:
        per_arch.setdefault(arch, []).extend(changed(words | 7 << 12, rng))
tasks = []
for arch, words in sorted(per_arch.items()):
    words = sorted(set(words))
    rng.shuffle(words)
    words = words[:limit // 4]
    tasks += [(arch, n, words[n:n + BATCH]) for n in range(0, len(words), BATCH)]
rows, bad = [], []
with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
    for arch, accepted, refused in pool.map(decode, tasks):
        rows += [f'{arch},{a:x},{w & (1 << 64) - 1:016x},{w >> 64:016x},"{t}"\n' for a, w, t in accepted if not LABELS.search(t)]
        bad += [f'{arch},0,{w & (1 << 64) - 1:016x},{w >> 64:016x}\n' for w in refused]
open(work + '/mutants.csv', 'w').write('arch,address,lo,hi,text\n' + ''.join(sorted(rows)))
open(work + '/rejected.csv', 'w').write('arch,address,lo,hi\n' + ''.join(sorted(bad)))
print(f'changed instructions: {len(rows)} accepted, {len(bad)} refused')
PYTHON
  gzip -9nc $work/mutants.csv > "$out/sass_vectors_mutants.csv.gz"
  gzip -9nc $work/rejected.csv > "$out/sass_rejected.csv.gz"
  echo "sass_vectors_mutants.csv.gz: $(wc -c < "$out/sass_vectors_mutants.csv.gz") bytes, after $SECONDS s"
else
  echo "python3 or nvdisasm is missing: no changed instructions were recorded"
fi

# Blanks before a comma or a semicolon, which some operands leave, count as none.
compare() {
  "$gemmscope" disasm --vectors $1 | sed 's/  */ /g; s/ \([,;]\)/\1/g' > $work/ours
  tail -n +2 $1 | sed 's/^[^"]*"//; s/"$//; s/  */ /g; s/ \([,;]\)/\1/g' > $work/theirs
  paste $work/ours $work/theirs | awk -F '\t' -v out="$2" '$1 != $2 {n++; print > out} END {print n + 0 " of " NR " rows differ"}'
}
if [ -n "$gemmscope" ]; then
  compare $work/own.csv "$out/different_own.txt"
  [ -f $work/mutants.csv ] && compare $work/mutants.csv "$out/different_mutants.txt"
fi
exit 0
