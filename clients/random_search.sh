#!/bin/sh
# Random search as a program outside, with nothing but a POSIX shell and awk:
#
#   cubicbench search tiny-llama --searcher "external:sh clients/random_search.sh" --out out/mine
asked=0
while read -r line; do
  case $line in
    *'"type":"hello"'*)
      hello=$line
      seed=$(printf '%s\n' "$line" | sed 's/.*"seed":\([0-9]*\).*/\1/')
      echo '{"type":"ready","protocol":1,"name":"random in sh"}' ;;
    *'"type":"ask"'*)
      asked=$((asked + 1))
      # Every parameter gets one of its values; those that are not active are ignored. Of a table of
      # runs, one of its rows.
      printf '%s\n' "$hello" | awk -v seed="$((seed * 65536 + asked))" '{
        srand(seed)
        if (sub(/.*"configs":\[[{]/, "")) {
          sub(/[}]\].*/, "")
          print "{\"type\":\"propose\",\"configs\":[{" rows[1 + int(rand() * split($0, rows, /[}],[{]/))] "}]}"
          exit
        }
        while (match($0, /"name":"[^"]*","type":"[a-z]*","values":\[[^]]*\]/)) {
          parameter = substr($0, RSTART, RLENGTH)
          $0 = substr($0, RSTART + RLENGTH)
          split(parameter, words, "\"")
          gsub(/.*\[|\]/, "", parameter)
          config = config (config ? "," : "") "\"" words[4] "\":"
          config = config value(parameter)
        }
        print "{\"type\":\"propose\",\"configs\":[{" config "}]}"
      }
      function value(list, values) { return values[1 + int(rand() * split(list, values, ","))] }' ;;
    *'"type":"recommend"'*) echo '{"type":"recommend","config":null}' ;;
    *'"type":"stop"'*) exit 0 ;;
  esac
done
