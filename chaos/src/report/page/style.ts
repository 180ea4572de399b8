import { trusted } from '../markup.js';

/** Colours are chosen to be told apart by most eyes (Okabe and Ito), once for light and once for dark. */
export const STYLE = trusted(`
:root {
  color-scheme: light dark;
  --page: #fbfbfa; --card: #fff; --text: #1d2125; --soft: #5b646d; --rule: #e3e5e8; --fault: #d55e0024; --fault-text: #9a4300;
  --valid: #00694c; --invalid: #b3261e; --unknown: #85600a;
  --l1: #0068a8; --l2: #c75100; --l3: #00805d; --l4: #9c4f83; --l5: #8a6d00; --l6: #3f4b57;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15181b; --card: #1c2024; --text: #e4e7ea; --soft: #a0a9b2; --rule: #31373d; --fault: #e69f0030; --fault-text: #f0b95a;
    --valid: #4cc9a0; --invalid: #ff8a80; --unknown: #e8bd57;
    --l1: #62b5ee; --l2: #ff9a52; --l3: #4cc9a0; --l4: #e39bc6; --l5: #e3cc55; --l6: #c3ccd5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 28px 32px 64px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px; font-weight: 650; }
h2 { font-size: 18px; margin: 40px 0 10px; font-weight: 650; }
p { margin: 6px 0; max-width: 90ch; }
code, pre, .life, .number { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 13px; }
pre { background: var(--card); border: 1px solid var(--rule); border-radius: 6px; padding: 10px 14px; overflow-x: auto; margin: 8px 0; }
header { border-left: 6px solid; padding: 2px 0 2px 18px; }
.valid { border-color: var(--valid); } .valid .word { color: var(--valid); }
.invalid { border-color: var(--invalid); } .invalid .word { color: var(--invalid); }
.unknown { border-color: var(--unknown); } .unknown .word { color: var(--unknown); }
.soft, .about, dt { color: var(--soft); }
.reasons { margin: 12px 0; padding-left: 20px; } .reasons li { overflow-wrap: anywhere; white-space: pre-wrap; }
dl.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(140px, 1fr)); gap: 14px 20px; margin: 22px 0; }
dl.figures div { border-top: 1px solid var(--rule); padding-top: 8px; }
dt { font-size: 13px; } dd { margin: 0; font-size: 20px; font-variant-numeric: tabular-nums; white-space: nowrap; } dd.wrong { color: var(--invalid); font-weight: 650; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--rule); }
th, td { text-align: left; vertical-align: top; padding: 6px 12px; border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
th { font-weight: 600; font-size: 13px; color: var(--soft); white-space: nowrap; } tr:last-child td { border-bottom: 0; }
td.promise { min-width: min(44ch, 45vw); }
td.short { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.center, th.center { text-align: center; }
.yes { color: var(--valid); } .no { color: var(--invalid); font-weight: 650; } .maybe { color: var(--unknown); font-weight: 650; }
.life td { padding: 2px 12px; border-bottom: 0; } .life td.short { color: var(--soft); width: 1%; }
.life td:first-child { min-width: 7ch; }
details { margin: 8px 0; border: 1px solid var(--rule); border-radius: 6px; background: var(--card); padding: 8px 14px; }
details table { border: 0; } details pre { border: 0; padding: 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
figure { margin: 0 0 14px; background: var(--card); border: 1px solid var(--rule); border-radius: 6px; padding: 8px 12px 4px; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; font-size: 14px; }
.about { font-size: 13px; } .legend { margin-left: auto; display: flex; flex-wrap: wrap; gap: 0 16px; font-size: 13px; }
.legend svg { width: 26px; height: 8px; display: inline-block; margin-right: 5px; vertical-align: 1px; }
figure > svg { display: block; width: 100%; height: auto; }
svg text { font: 12.5px system-ui, sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }
.axis line { stroke: var(--rule); }
.mark line { stroke: var(--soft); stroke-dasharray: 2 3; }
.fault rect { fill: var(--fault); } .fault text { fill: var(--fault-text); paint-order: stroke; stroke: var(--card); stroke-width: 3px; stroke-opacity: .7; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.l1 { stroke: var(--l1); } .l2 { stroke: var(--l2); stroke-dasharray: 6 3; } .l3 { stroke: var(--l3); stroke-dasharray: 1.5 3.5; }
.l4 { stroke: var(--l4); stroke-dasharray: 9 3 2 3; } .l5 { stroke: var(--l5); stroke-dasharray: 4 4; } .l6 { stroke: var(--l6); stroke-dasharray: 12 4; }
.at rect { fill: transparent; } .at text { visibility: hidden; fill: var(--text); white-space: pre; paint-order: stroke; stroke: var(--card); stroke-width: 8px; }
.at:hover rect { fill: var(--soft); fill-opacity: .35; } .at:hover text { visibility: visible; }
`);
