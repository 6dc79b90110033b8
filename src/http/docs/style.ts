/** The pages' style sheet: system fonts, light and dark, nothing loaded from elsewhere. */
import { BRAND } from '../../domain/page-colors.ts';
import { BASE, lightDark, NEUTRALS } from '../shared/tokens.ts';

export const STYLE = `${lightDark({ ...BRAND, ...NEUTRALS })}${BASE}
:root {
  --get: light-dark(#1d5fb8, #7ab4ff);
}
html { scroll-padding-top: 1.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans); }
.frame { display: grid; grid-template-columns: 16rem minmax(0, 1fr); max-width: 75rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 2rem 1.5rem; border-right: 1px solid var(--line); font-size: .9375rem; }
nav .brand { display: block; margin-bottom: 1.25rem; color: var(--ink); font-weight: 700; font-size: 1.125rem; letter-spacing: -.01em; }
nav ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
nav li a { display: block; padding: .2rem .6rem; margin-left: -.6rem; border-radius: .375rem; color: var(--quiet); }
nav li.sub a { padding-left: 1.5rem; }
nav li a:hover { color: var(--ink); text-decoration: none; }
nav li a[aria-current] { background: var(--raised); color: var(--accent); font-weight: 600; }
main { padding: 2.5rem 3rem 6rem; min-width: 0; }
h1 { margin: 0 0 .75rem; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 3rem 0 .75rem; font-size: 1.375rem; letter-spacing: -.01em; }
h3 { margin: 2rem 0 .5rem; font-size: 1.0625rem; }
p, ul, ol { margin: .5rem 0 1rem; max-width: 44rem; }
.lead { color: var(--quiet); font-size: 1.125rem; }
a { color: var(--accent); text-decoration: none; }
a:hover, p a, li a, td a { text-decoration: underline; text-underline-offset: .15em; }
nav a, .facts a { text-decoration: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font-family: var(--mono); font-size: .875em; background: var(--raised); border-radius: .25rem; padding: .1em .3em; overflow-wrap: anywhere; }
pre { margin: .75rem 0 1.25rem; padding: .9rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; line-height: 1.5; }
pre code { padding: 0; background: none; font-size: .8125rem; overflow-wrap: normal; }
.scroll { overflow-x: auto; margin: .75rem 0 1.5rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); font-size: .8125rem; }
th, td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { min-width: 9rem; }
td:first-child code { white-space: nowrap; }
details { border-bottom: 1px solid var(--line); }
summary { display: flex; gap: .75rem; align-items: baseline; padding: .6rem 0; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "›"; flex: none; width: .5rem; color: var(--quiet); font: 600 1rem/1 var(--mono); }
details[open] > summary::before { transform: rotate(90deg); }
summary:hover .path, summary:hover > code { color: var(--accent); }
summary .what { color: var(--quiet); margin-left: auto; text-align: right; }
details[open] summary .what { color: var(--ink); }
details > div { padding: 0 0 1rem 5.5rem; scroll-margin-top: 4rem; }
details.plain > div { padding-left: 1.25rem; }
.method { flex: none; width: 3.5rem; font: 600 .75rem/1 var(--mono); color: var(--accent); }
.method.get { color: var(--get); }
.method.delete { color: var(--bad); }
.path { font-family: var(--mono); font-size: .875rem; overflow-wrap: anywhere; }
.error { scroll-margin-top: 1rem; padding: 1.25rem 0; border-bottom: 1px solid var(--line); }
.error:target { box-shadow: -3px 0 0 var(--accent); padding-left: 1rem; margin-left: -1rem; }
.error h3 { margin: 0; font-family: var(--mono); font-size: 1rem; }
.error h3 a { color: inherit; }
.error p { margin: .35rem 0; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .25rem 0 0; padding: 0; list-style: none; color: var(--quiet); font-size: .875rem; max-width: none; }
blockquote { margin: .5rem 0; padding: .1rem 0 .1rem 1rem; border-left: 3px solid var(--line); color: var(--ink); max-width: 44rem; }
.search input { width: 100%; margin-bottom: 1rem; padding: .35rem .6rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--raised); color: var(--ink); font: inherit; }
.results { list-style: none; padding: 0; }
.results li { margin: 0 0 1rem; }
.results small { color: var(--quiet); }
.source { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
blockquote small { display: block; color: var(--quiet); }
@media (max-width: 50rem) {
  .frame { display: block; }
  nav { position: static; height: auto; padding: 1.25rem 1.25rem .25rem; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; margin-bottom: .75rem; }
  main { padding: 1.5rem 1.25rem 4rem; }
  summary { flex-wrap: wrap; gap: .25rem .75rem; }
  summary .what { margin-left: 5.5rem; width: 100%; text-align: left; }
  details > div, details.plain > div { padding-left: 0; }
  /* A row of a table becomes a paragraph: three columns of words do not fit beside each other. */
  table, tbody, tr, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  td, td:first-child { padding: .1rem 0; border: 0; white-space: normal; }
}
@media print { nav { display: none; } .frame { display: block; } }
`;
