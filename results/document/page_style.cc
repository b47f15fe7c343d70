#include "results/document/html.h"

namespace cubicbench::results {

const std::string_view page_style = R"css(
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --tint: #f3f5f7; --edge: #d0d7de; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --soft: #9aa4ae; --paper: #14171a; --tint: #1e2327; --edge: #3a4249; --link: #79b8ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 67.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
main > p, main > section > p, figcaption, main ul, dl, details > p { max-width: 45rem; }
nav { font-size: .92rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li { display: inline-block; margin: 0 1rem .25rem 0; }
/* A line of links, which scrolls. */
@media (max-width: 1199px) { nav ul { overflow-x: auto; white-space: nowrap; padding-bottom: .3rem; } }
@media (min-width: 1200px) {
  body:has(nav) { max-width: 84rem; display: grid; grid-template-columns: 14rem minmax(0, 67.5rem); column-gap: 2.5rem; }
  nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  nav li { display: block; margin: 0 0 .45rem; line-height: 1.3; }
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--edge); }
h3 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
a { color: var(--link); }
abbr { text-decoration: underline dotted var(--soft); text-underline-offset: .2em; cursor: help; }
@media print { abbr { text-decoration: none; } }
figure { margin: 1rem 0; }
figcaption { margin-top: .6rem; }
figcaption, .note { color: var(--soft); font-size: .92rem; }
.note { border-left: 3px solid var(--edge); padding-left: .75rem; }
.wide { overflow-x: auto; }
.wide, details { margin: 1rem 0; }
figure .wide, figcaption details { margin: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 0 1.5rem; }
.figures.panels { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20.5rem), 1fr)); gap: 0 1rem; }
.figures figure { min-width: 0; }
.figures h4 { margin: 0 0 .4rem; }
/* Heading, drawing and caption of one row are level, whatever the height of their legends. */
.figures figure:has(h4) { display: grid; grid-template-rows: subgrid; grid-row: span 3; }
.figures figure > .wide { align-self: end; }
/* On a narrow screen a figure scrolls in its frame: its letters never shrink below 11 px. */
figure svg { display: block; width: 100%; max-width: 47.5rem; min-width: 44rem; height: auto; }
figure img { display: block; width: 100%; max-width: 62.5rem; min-width: 44rem; height: auto; }
figure.square svg { max-width: 35rem; min-width: 33rem; }
figure.panel svg { max-width: 23rem; min-width: 20.5rem; }
figure.grid svg { max-width: 65rem; min-width: 60rem; }
td svg { display: block; width: 100%; height: auto; }
figcaption summary { cursor: pointer; }
.wide td:first-child, .wide th:first-child { position: sticky; left: 0; min-width: 7.5rem; background: var(--paper); }
.shares { min-width: 15rem; }
.swatch { display: inline-block; width: .8em; height: .8em; }
table { border-collapse: collapse; font-size: .92rem; overflow-wrap: normal; }
th, td { padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number, td.number:has(small) { white-space: normal; }
td span { white-space: nowrap; }
small { color: var(--soft); font-size: .85em; font-weight: 400; display: inline-block; }
@media screen and (max-width: 899px) { small { white-space: nowrap; } th.number { min-width: 5rem; } }
/* Long names break before a column is cut off. */
@media print, (min-width: 900px) { td.long { overflow-wrap: anywhere; } td, th { min-width: 4.5rem; } td.number, th.number { min-width: 0; } }
pre { background: var(--tint); border: 1px solid var(--edge); border-radius: 6px; padding: .7rem .9rem; margin: .5rem 0; font-size: .88rem; line-height: 1.45; white-space: pre-wrap; user-select: all; }
dt { font-weight: 600; margin-top: .7rem; }
dd { margin: 0; }
@media print {
  body, body:has(nav) { display: block; max-width: none; padding: 0; }
  nav { display: none; }
  figure, tr, pre { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .wide { overflow: visible; }
  .wide td:first-child, .wide th:first-child { position: static; }
  figure svg, figure.grid svg { min-width: 0; }
  table { font-size: .8rem; }
  a[href^="http"]::after { content: " (" attr(href) ")"; }
}
)css";

}  // namespace cubicbench::results
