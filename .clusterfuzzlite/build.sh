#!/bin/bash -eu
# Builds every fuzzer for OSS-Fuzz or ClusterFuzzLite, from the environment of their base image:
# $CC, $CXX, $CFLAGS, $CXXFLAGS, $LIB_FUZZING_ENGINE, $OUT, $SRC, $WORK. Beside each fuzzer in $OUT:
# NAME_seed_corpus.zip, NAME.dict, NAME.options. RESHAPE_FUZZ_TARGETS limits it to some.
cd "$SRC/reshape-conformance"
targets=${RESHAPE_FUZZ_TARGETS:-resolve execute plan plugin line ruling spec_yaml baseline host_message description import_ir import_onnx}

# The base image's flags ask for libc++; Debian's libraries, which the fuzzers are linked with, are made for libstdc++.
export CXXFLAGS=${CXXFLAGS//-stdlib=libc++/-stdlib=libstdc++}

# Their flags come with the environment; the fuzzers run on other machines, so nothing is tuned to
# this one, and what they load lies beside them. Debian has no archive of yaml-cpp.
cmake -S . -B "$WORK/build" -G Ninja \
  -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
  -DRESHAPE_TESTS=OFF -DRESHAPE_REPLAY_TESTS=OFF -DRESHAPE_FUZZ=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_benchmark=ON -DRESHAPE_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" \
  -DRESHAPE_EMBED_SPECS="${RESHAPE_EMBED_SPECS:-}" \
  -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH='$ORIGIN/lib'
programs=()
for target in $targets; do programs+=("fuzz_$target"); done
[[ " $targets " != *" plugin "* ]] || programs+=(optimized_plugin)
cmake --build "$WORK/build" --target "${programs[@]}"

# First corpora come from the suite, by a program that needs no sanitizer.
if [[ -z ${RESHAPE_FUZZ_SEEDS:-} ]]; then
  cmake --build "$WORK/build" --target reshape-fuzz
  RESHAPE_FUZZ_SEEDS=$WORK/seeds
  "$WORK/build/bin/reshape-fuzz" seeds "$RESHAPE_FUZZ_SEEDS"
fi

mkdir -p "$OUT/lib"
for target in $targets; do
  fuzzer=fuzz_$target
  cp "$WORK/build/bin/$fuzzer" "$OUT/"
  # Libraries that the base image of runs does not have.
  ldd "$WORK/build/bin/$fuzzer" | awk '$3 ~ /^\// {print $3}' |
    { grep -E '/lib(yaml-cpp|fmt|hwy|pugixml|md)\.' || true; } | while read -r library; do
      cp -L "$library" "$OUT/lib/"
    done
  rm -rf "$WORK/corpus"
  mkdir -p "$WORK/corpus"
  for folder in "$RESHAPE_FUZZ_SEEDS/$target" "fuzz/regressions/$target"; do
    [[ ! -d $folder ]] || for file in "$folder"/*; do
      cp "$file" "$WORK/corpus/$(basename "$(dirname "$folder")")-$(basename "$file")"
    done
  done
  [[ ! -e fuzz/corpus/$target.tar.xz ]] || tar -xJf "fuzz/corpus/$target.tar.xz" -C "$WORK/corpus"
  (cd "$WORK/corpus" && find . -type f | python3 -c '
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as corpus:
    for name in sorted(sys.stdin.read().split()):
        corpus.write(name)' "$OUT/${fuzzer}_seed_corpus.zip")
  dictionary=fuzz/dictionaries/$target.dict
  case $target in resolve | execute | plan | plugin) dictionary=fuzz/dictionaries/request.dict ;; esac
  [[ ! -e $dictionary ]] || cp "$dictionary" "$OUT/$fuzzer.dict"
  {
    printf '[libfuzzer]\nmax_len = %s\ntimeout = 20\n' \
      "$(case $target in resolve | execute | plan | plugin) echo 512 ;; *) echo 4096 ;; esac)"
    [[ ! -e $dictionary ]] || printf 'dict = %s.dict\n' "$fuzzer"
    printf '[asan]\ndetect_leaks = 0\n'
  } >"$OUT/$fuzzer.options"
done
# The fuzzer of plug-ins loads the library beside it unless the environment names another.
[[ ! -e $WORK/build/lib/liboptimized.so ]] || cp "$WORK/build/lib/liboptimized.so" "$OUT/"
