/**
 * The page's style sheet, for phones first: one column, system fonts, light and dark. The page looks like a bill with a
 * part to tear off: the amount above the tear, the form below it. It also works in old browsers: no nesting, no
 * `light-dark()`.
 */
import { PAGE_COLORS } from '../../../domain/page-colors.ts';
import { BASE, byTheme, SANS } from '../../shared/tokens.ts';

export const STYLE = `${byTheme(PAGE_COLORS)}${BASE}
body{margin:0;min-height:100vh;padding:0 .75rem;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);font:1rem/1.5 ${SANS}}
main{width:100%;max-width:27rem;margin:1rem auto 0;background:var(--slip);border-radius:1.25rem;box-shadow:0 1px 2px rgba(0,0,0,.08),0 1rem 2.5rem -1.5rem rgba(0,0,0,.3);overflow-wrap:anywhere}
h1,h2,p,dl,ul{margin:0;padding:0}
ul{list-style:none}
h1{font-size:1.125rem;line-height:1.3;font-weight:600;text-wrap:balance}
h1:focus,#form-errors:focus{outline:0}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.test{margin:0 -.75rem;padding:.5rem 1rem;background:var(--test);color:var(--on-test);font-size:.875rem;text-align:center}
.test p{max-width:44rem;margin:0 auto;text-wrap:balance}
.bill,.pay,.message{padding:1.5rem}
.payee{display:flex;align-items:center;gap:.75rem}
.mark{flex:none;width:2.5rem;height:2.5rem;border-radius:.75rem;display:grid;place-items:center;background:var(--tint);color:var(--accent);font-weight:700;font-size:1.125rem}
.logo{flex:none;box-sizing:border-box;width:auto;height:2.5rem;max-width:7.5rem;padding:.25rem;border-radius:.5rem;background:#fff;object-fit:contain}
.amount{margin:1rem 0 .25rem;font-size:clamp(2.25rem,11vw,3.25rem);line-height:1.05;font-weight:650;letter-spacing:-.035em;font-variant-numeric:tabular-nums}
.quiet{color:var(--quiet);font-size:.9375rem}
.use{margin:1rem 0 .5rem}
.items{margin-top:1.25rem;display:grid;gap:.375rem;font-size:.9375rem}
.items li,.facts div{display:flex;align-items:baseline;gap:.5rem}
.items .dots{flex:1;min-width:1rem;border-bottom:2px dotted var(--line)}
.items .price,.facts dd{font-variant-numeric:tabular-nums}
.items li{flex-wrap:wrap}
.items li>:first-child{min-width:min(100%,7rem)}
.items .price{margin-left:auto;white-space:nowrap}
.items .times{color:var(--quiet);white-space:nowrap}
.tear{position:relative;margin:0 1.5rem;border-top:2px dashed var(--line)}
.tear::before,.tear::after{content:"";position:absolute;top:-.6875rem;width:1.25rem;height:1.25rem;border-radius:50%;background:var(--ground)}
.tear::before{left:-2.125rem;clip-path:inset(0 0 0 50%)}
.tear::after{right:-2.125rem;clip-path:inset(0 50% 0 0)}
form,.fields,section{display:grid;gap:1.125rem}
h2{font-size:1rem}
.field{min-width:0}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,8rem),1fr));column-gap:.875rem;margin-bottom:-1.125rem}
.pair .field{display:grid;grid-row:span 3;grid-template-rows:subgrid;margin-bottom:1.125rem}
label{display:block;margin-bottom:.375rem;font-weight:600;font-size:.9375rem}
label .hint{font-weight:400;white-space:nowrap}
.hint{color:var(--quiet);font-size:.875rem}
.pair + .hint{margin-top:-.75rem}
input{display:block;width:100%;height:3.125rem;padding:0 .875rem;border:1.5px solid var(--edge);border-radius:.75rem;background:var(--slip);color:inherit;font:inherit;font-size:1.0625rem;font-variant-numeric:tabular-nums;letter-spacing:.02em}
.keep{display:flex;gap:.75rem;align-items:center;min-height:1.75rem;margin:0;font-weight:400}
.keep input{flex:none;width:1.5rem;height:1.5rem;margin:0;padding:0;accent-color:var(--accent)}
.box{height:3.125rem;padding:0 .875rem;border:1.5px solid var(--edge);border-radius:.75rem;background:var(--slip)}
.box[data-focused]{outline:3px solid var(--accent);outline-offset:1px;border-color:var(--accent)}
.box[data-wrong]{border-color:var(--bad);border-width:2px}
.box iframe{width:100%;height:100%;border:0}
.focus-intercept{position:absolute;top:-1px;left:-1px;width:1px;height:1px;padding:0;border:0;opacity:0}
input:focus{outline:3px solid var(--accent);outline-offset:1px;border-color:var(--accent)}
input[aria-invalid]{border-color:var(--bad);border-width:2px}
.fault{margin-top:.375rem;color:var(--bad);font-size:.9375rem}
.errors{padding:1rem;border-left:4px solid var(--bad);border-radius:.25rem .75rem .75rem .25rem;background:var(--bad-tint)}
.errors:empty{display:none}
.errors h2{font-size:1rem}
.errors li{margin-top:.375rem}
.errors a{display:inline-block;min-height:1.5rem;color:var(--bad)}
.live{margin:0;padding:.875rem 1.5rem;border-radius:1.25rem 1.25rem 0 0;background:var(--tint);text-align:center;font-size:.9375rem;font-weight:600}
.live:empty{padding:0}
.live[data-stop]{background:var(--bad-tint);color:var(--bad)}
.still{font-size:.9375rem;font-weight:600;text-align:center}
.still:empty{position:absolute}
.total{display:flex;justify-content:space-between;gap:1rem;font-size:1.125rem;font-variant-numeric:tabular-nums}
.choices{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,7.5rem),1fr));gap:.5rem;margin-top:.75rem}
.choices a{display:flex;align-items:center;justify-content:center;min-height:2.75rem;height:100%;padding:.375rem .75rem;border-radius:.75rem;box-shadow:inset 0 0 0 1.5px var(--edge);text-align:center;text-decoration:none;font-variant-numeric:tabular-nums}
.choices a[aria-current]{background:var(--tint);box-shadow:inset 0 0 0 2px var(--accent);font-weight:650}
.marked{display:grid;grid-template-columns:minmax(0,1fr)}
.marked input,.brand{grid-area:2/1}
.brand{place-self:center end;margin-right:.875rem;padding:0 .5rem;border:1px solid var(--line);border-radius:.375rem;background:var(--slip);color:var(--quiet);font-size:.8125rem;font-weight:600;pointer-events:none}
.brand:empty{display:none}
summary{padding:.5rem 0;color:var(--accent);font-weight:600;cursor:pointer}
details[open] summary{margin-bottom:.5rem}
.notice{margin:1rem 1.5rem 0;padding:.75rem 1rem;border-radius:.75rem;background:var(--tint);font-size:.9375rem}
button,.button{display:flex;align-items:center;justify-content:center;gap:.5rem;width:100%;min-height:3.25rem;padding:.625rem 1rem;border:0;border-radius:.875rem;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;font-size:1.0625rem;text-align:center;text-decoration:none;cursor:pointer;font-variant-numeric:tabular-nums}
button:hover,.button:hover{background:var(--pressed)}
.plain{min-height:2.75rem;background:none;color:var(--accent);font-weight:600;font-size:1rem;text-decoration:underline}
.plain:hover{background:var(--tint)}
.second{background:none;color:var(--accent);box-shadow:inset 0 0 0 1.5px var(--accent)}
.second:hover{background:var(--tint)}
.safe{display:flex;gap:.5rem;align-items:flex-start}
.safe svg{flex:none;margin-top:.25rem}
.safe + .safe{margin-top:.25rem}
.message{text-align:center}
.message h1{font-size:1.5rem;letter-spacing:-.015em}
.message p{margin-top:.5rem;color:var(--quiet);text-wrap:balance}
.sign{position:relative;width:4rem;height:4rem;margin:.5rem auto 1rem;border-radius:50%;display:grid;place-items:center;background:var(--tint);color:var(--accent)}
.bad .sign{background:var(--bad-tint);color:var(--bad)}
.turning::before{content:"";position:absolute;top:-.375rem;right:-.375rem;bottom:-.375rem;left:-.375rem;border:3px solid var(--line);border-top-color:var(--accent);border-radius:50%}
.facts{display:grid;gap:.625rem;font-size:.9375rem}
.facts dt{flex:none;color:var(--quiet)}
.facts dd{min-width:0;margin:0 0 0 auto;text-align:right}
.facts .small{font-size:.8125rem}
.facts .sum,.facts .long{flex-wrap:wrap}
.facts .sum{padding-bottom:.625rem;border-bottom:2px solid var(--ink);font-size:1.25rem;font-weight:650}
.facts .sum dt{color:inherit}
.ways{display:grid;gap:.75rem;margin-top:1.5rem}
footer{margin:auto auto 0;padding:1.5rem 0}
footer .support{display:flex;flex-wrap:wrap;justify-content:center;align-items:baseline;gap:0 .75rem;max-width:27rem;margin-bottom:.5rem;color:var(--quiet);font-size:.875rem;text-align:center;overflow-wrap:anywhere}
footer ul{display:flex;flex-wrap:wrap;justify-content:center;gap:0 .75rem}
footer a{display:inline-block;padding:.375rem .25rem;color:var(--quiet);font-size:.875rem}
footer a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
@media (min-width:40rem){body{padding:0 1.5rem}main{margin-top:3rem}.test{margin:0 -1.5rem}}
@media (max-width:22rem){.bill,.pay,.message{padding:1.25rem}.tear{margin:0 1.25rem}.tear::before{left:-1.875rem}.tear::after{right:-1.875rem}}
@media (prefers-reduced-motion:no-preference){button,.button,input{transition:background-color .15s,border-color .15s}.turning::before{animation:turn 1.6s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}}
@media (forced-colors:active){main{border:1px solid}.tear::before,.tear::after{display:none}button,.button{border:1px solid}}
@media print{.test,footer,.ways{display:none}main{box-shadow:none}}
`.replaceAll('\n', '');
