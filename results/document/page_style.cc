#include "results/document/html.h"

namespace cubicbench::results {

// Figures are drawn black on white. In the dark, style rules, which beat a drawing's own
// attributes, turn its paper and its black ink round and leave the colours.
const std::string_view page_style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --tint: #f3f5f7; --edge: #d0d7de; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9aa4ae; --paper: #14171a; --tint: #1e2327; --edge: #3a4249; --link: #79b8ff; }
  svg [stroke="black"], svg [stroke="rgb(  0,   0,   0)"] { stroke: var(--ink); }
  svg [fill="black"] { fill: var(--ink); }
  svg [color="black"] { color: var(--ink); }
  svg [fill="#ffffff"] { fill: var(--paper); }
  svg [stroke="rgb(192, 192, 192)"] { stroke: var(--edge); }
  svg [stroke="rgb(  0, 114, 178)"] { stroke: #4aa8e0; }
  svg [color="rgb(  0, 114, 178)"] { color: #4aa8e0; }
  svg [color="rgb( 96,  96,  96)"] { color: var(--soft); }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--edge); }
h3 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
a { color: var(--link); }
figure { margin: 1rem 0; }
figcaption, .note { color: var(--soft); font-size: .92rem; }
.note { border-left: 3px solid var(--edge); padding-left: .75rem; }
.wide { overflow-x: auto; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 0 1.5rem; }
.figures figure { min-width: 0; }
svg { display: block; width: 100%; max-width: 100%; height: auto; }
.shares { min-width: 15rem; }
.swatch { display: inline-block; width: .8em; height: .8em; }
table { border-collapse: collapse; font-size: .92rem; overflow-wrap: normal; }
th, td { padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; }
pre { background: var(--tint); border: 1px solid var(--edge); border-radius: 6px; padding: .7rem .9rem; margin: .5rem 0; font-size: .88rem; line-height: 1.45; white-space: pre; overflow-x: auto; user-select: all; }
dt { font-weight: 600; margin-top: .7rem; }
dd { margin: 0; }
)css";

}  // namespace cubicbench::results
