#include "tools/pages/page_style.h"

namespace alphasparse {

// Colours of c0 to c7 are told apart by people who see fewer colours (after M. Okabe and K. Ito).
const char* const page_css = R"css(:root {
  color-scheme: light dark;
  --ground: #fbfbf9; --panel: #ffffff; --ink: #1c1e21; --quiet: #5a5f66; --line: #d9dade;
  --link: #00589b; --code: #f3f3f0; --modelled: #a84a00; --measured: #00714f;
  --c0: #0072b2; --c1: #d55e00; --c2: #00805c; --c3: #a8548a; --c4: #a07000; --c5: #2a8fc4;
  --c6: #6b6f76; --c7: #8a3d00;
  --keyword: #00589b; --comment: #5a6a5f; --literal: #9a3f00; --string: #00694b; --macro: #7d3f6e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181b; --panel: #1e2125; --ink: #e6e7e9; --quiet: #a3a8af; --line: #3a3e45;
    --link: #7cc0f2; --code: #23262b; --modelled: #f08a45; --measured: #2dbd92;
    --c0: #4da6df; --c1: #f08a45; --c2: #2dbd92; --c3: #d991bf; --c4: #e0b040; --c5: #8fd0f5;
    --c6: #a3a8af; --c7: #d9a583;
    --keyword: #7cc0f2; --comment: #93a598; --literal: #f0a573; --string: #6fd0ad; --macro: #d9a6cc;
  }
  .pattern { filter: invert(0.92) contrast(1.5); }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main { max-width: 68rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.25rem; margin: 0 0 .7rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--link); }
nav { margin: .8rem 0 1.2rem; display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .9rem; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  padding: 1rem 1.1rem; margin: 0 0 1rem; }
.lead { font-size: 1.05rem; }
.quiet, figcaption, small { color: var(--quiet); font-size: .88rem; }
.tag { border: 1px solid currentColor; border-radius: 4px; padding: 0 .35rem; font-size: .8rem;
  white-space: nowrap; }
.modelled { color: var(--modelled); }
.measured { color: var(--measured); }
.numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem;
  margin: .8rem 0 0; }
.numbers > div { background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  padding: .5rem .7rem; }
.numbers b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
/* Shadows at the edges say that a table goes on there. */
.wide { overflow-x: auto; background:
  linear-gradient(to right, var(--panel) 30%, transparent) left / 2.5rem 100% no-repeat local,
  linear-gradient(to left, var(--panel) 30%, transparent) right / 2.5rem 100% no-repeat local,
  linear-gradient(to right, var(--line), transparent) left / .9rem 100% no-repeat,
  linear-gradient(to left, var(--line), transparent) right / .9rem 100% no-repeat; }
table { border-collapse: collapse; font-size: .92rem; min-width: 100%; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: normal; }
td:last-child:not(.number) { min-width: 12rem; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sortable.alive th { cursor: pointer; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.filter { margin: 0 0 .6rem; }
.filter[hidden] { display: none; }
.filter input { font: inherit; color: var(--ink); background: var(--ground);
  border: 1px solid var(--quiet); border-radius: 4px; padding: .2rem .4rem; width: 20rem;
  max-width: 100%; }
.filter input::placeholder { color: var(--quiet); opacity: 1; }
.line { white-space: nowrap; }
td summary { cursor: pointer; white-space: nowrap; color: var(--link); }
td details[open] { white-space: normal; min-width: 18rem; max-width: 34rem; padding-bottom: .4rem; }
td details p { overflow-wrap: anywhere; }
.sortable th[aria-sort="ascending"]::after { content: " \2191"; }
.sortable th[aria-sort="descending"]::after { content: " \2193"; }
code, pre { font: .86rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
code { background: var(--code); border-radius: 3px; padding: 0 .2rem; }
pre { background: var(--code); border-radius: 6px; padding: .7rem .8rem; margin: .5rem 0;
  overflow-x: auto; overflow-wrap: normal; tab-size: 2; }
pre code { background: none; padding: 0; }
.line-of-text { white-space: pre-wrap; overflow-wrap: anywhere; }
.source { max-height: 40rem; overflow: auto; }
.keyword { color: var(--keyword); } .comment { color: var(--comment); font-style: italic; }
.literal { color: var(--literal); } .string { color: var(--string); } .macro { color: var(--macro); }
.beside { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.beside > figure { flex: 0 1 22rem; }
.beside > div { flex: 1 1 22rem; min-width: 0; }
figure { margin: .6rem 0; }
.pattern { width: 100%; max-width: 22rem; image-rendering: pixelated; display: block; }
.chart { display: block; width: 100%; height: auto; }
.chart.small { display: none; }
@media (max-width: 640px) {
  .chart.large { display: none; } .chart.small { display: block; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin: 0 0 .4rem; }
  h1 { font-size: 1.4rem; } section { padding: .8rem; }
}
svg text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .quietly { fill: var(--quiet); }
svg .halo { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; }
svg .frame { stroke: var(--line); fill: none; }
svg .grid { stroke: var(--line); stroke-width: .6; }
svg .line { fill: none; stroke-width: 1.8; }
svg .level { fill: none; stroke-width: 1.3; stroke-dasharray: 6 4; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; list-style: none; padding: 0;
  margin: .4rem 0; font-size: .88rem; }
.legend svg { width: 16px; height: 14px; vertical-align: -2px; margin-right: .3rem; }
.bars { display: grid; grid-auto-flow: dense; grid-template-columns: minmax(7rem, max-content) 1fr max-content;
  gap: .25rem .7rem; align-items: center; font-size: .92rem; margin: .6rem 0; }
.bars > .label { grid-column: 1; overflow-wrap: anywhere; }
.bars > .amount { grid-column: 3; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bars > .track { grid-column: 2; position: relative; height: 1.05rem; min-width: 3rem; }
.bars .bar { position: absolute; inset: 0 auto 0 0; border-radius: 2px; min-width: 1px; }
.bars .spread { position: absolute; top: 45%; height: 10%; min-height: 2px; background: var(--ink); }
.bars .bar.hollow { background: none !important; border: 1.5px solid; }
@media (max-width: 640px) {
  .bars { grid-template-columns: 1fr max-content; }
  .bars > .track { grid-column: 1 / -1; margin-bottom: .35rem; }
  .bars > .amount { grid-column: 2; }
}
.design { display: flex; flex-direction: column; align-items: stretch; gap: 0; }
.step { border: 1px solid var(--line); border-left: 5px solid var(--stage); border-radius: 5px;
  padding: .35rem .7rem; background: var(--ground); max-width: 46rem; }
.step b { font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
.step .effect { display: block; color: var(--quiet); font-size: .85rem; }
.arrow { margin-left: 1.2rem; color: var(--quiet); line-height: 1.05; }
.branches { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .8rem; }
.branch { border: 1px dashed var(--line); border-radius: 6px; padding: .5rem; min-width: 0; }
.converting { --stage: var(--c0); } .mapping { --stage: var(--c4); }
.implementing { --stage: var(--c2); }
@media print {
  :root { --ground: #fff; --panel: #fff; --ink: #000; --quiet: #444; --line: #bbb; --code: #f5f5f5; }
  nav { display: none; } section { break-inside: avoid-page; border: none; padding: .5rem 0; }
  .source { max-height: none; } section.long { break-inside: auto; } pre { white-space: pre-wrap; }
  .pattern { filter: none; }
}
)css";

const char* const page_script =
    R"js(// A click on a head of a sortable table sorts by its column; a second one the other way round.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  table.classList.add("alive");
  const sort = (column) => {
    const rising = heads[column].getAttribute("aria-sort") !== "ascending";
    for (const head of heads) head.removeAttribute("aria-sort");
    heads[column].setAttribute("aria-sort", rising ? "ascending" : "descending");
    const key = (row) => {
      const cell = row.cells[column];
      if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
      return (cell.querySelector("summary") || cell).textContent;
    };
    const compare = (a, b) =>
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
    const rows = [...body.rows].sort((a, b) => (rising ? 1 : -1) * compare(key(a), key(b)));
    body.append(...rows);
  };
  heads.forEach((head, column) => {
    head.tabIndex = 0;
    head.addEventListener("click", () => sort(column));
    head.addEventListener("keydown", (event) => { if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      sort(column);
    });
  });
}
// A filter hides the rows of the next table that lack one of its words; case does not count.
for (const filter of document.querySelectorAll(".filter")) {
  const rows = [...filter.nextElementSibling.querySelector("tbody").rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const told = filter.querySelector("[role=status]");
  filter.hidden = false;
  filter.querySelector("input").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, place) => {
      row.hidden = !words.every((word) => texts[place].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    told.textContent = words.length ? `${shown} of ${rows.length}` : "";
  });
}
)js";

}  // namespace alphasparse
