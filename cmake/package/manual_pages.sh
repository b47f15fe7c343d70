#!/usr/bin/env bash
# manual_pages.sh PROGRAM FOLDER: writes FOLDER/cubicbench.1.gz, and cubicbench-COMMAND.1.gz for each command, from what
# `PROGRAM --help` and `PROGRAM COMMAND --help` print.
set -euo pipefail
[[ $# -eq 2 ]] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
program=$1
folder=$2

# page NAME: from the help text on standard input to a manual page.
page() {
  awk -v name="$1" -v version="$version" '
    function roff(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      sub(/^[.\x27]/, "\\\\\\&&", text)
      return text
    }
    function heading(text) { print ".SH " text; section = text }
    # A description starts in column 25; a term that reaches so far stands on a line of its own.
    function entry(line) {
      is_long = length(line) > 24 && substr(line, 24, 1) != " "
      term = is_long ? substr(line, 3) : substr(line, 3, 22)
      sub(/ REQUIRED/, "", term)
      sub(/ +$/, "", term)
      print ".TP"
      print ".B " roff(section == "COMMANDS" ? "cubicbench-" term "(1)" : term)
      if (!is_long) print roff(substr(line, 25))
    }
    BEGIN {
      print ".TH " toupper(name) " 1 \"\" \"" version "\" \"User Commands\""
      heading("NAME")
    }
    /^Usage: / {
      print roff(name) " \\- " roff(summary)
      heading("SYNOPSIS")
      sub(/^Usage: /, "")
      print roff($0)
      next
    }
    section == "NAME" { summary = summary (summary == "" ? "" : " ") $0; next }
    /^Positionals:$/ { heading("ARGUMENTS"); next }
    /^Options:$/ { heading("OPTIONS"); next }
    /^Subcommands:$/ { heading("COMMANDS"); next }
    /^Examples:$/ { heading("EXAMPLES"); print ".EX"; next }
    /^Exit codes: / { heading("EXIT STATUS"); sub(/^Exit codes: /, ""); print roff($0); next }
    /^$/ { if (section == "EXIT STATUS") print ".PP"; next }
    section == "EXAMPLES" { print roff(substr($0, 3)); next }
    /^  [^ ]/ { entry($0); next }
    { sub(/^ +/, ""); print roff($0) }
    END {
      if (section == "EXAMPLES") print ".EE"
      if (name != "cubicbench") { heading("SEE ALSO"); print ".BR cubicbench (1)" }
    }'
}

version=$("$program" --version)
help=$("$program" --help)
mkdir -p "$folder"
page cubicbench <<<"$help" | gzip -9n >"$folder/cubicbench.1.gz"
for command in $(sed -n '/^Subcommands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p' <<<"$help"); do
  "$program" "$command" --help | page "cubicbench-$command" | gzip -9n >"$folder/cubicbench-$command.1.gz"
done
