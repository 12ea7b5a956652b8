/** The style of the page at /api/docs: light and dark as the system is, one column on a phone. */
export const docsStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif;
  --line: light-dark(#d9dee5, #3a3f47); --soft: light-dark(#f5f7f9, #1d2126); --quiet: light-dark(#57606a, #a3abb5);
  --link: light-dark(#0b5cad, #7cb7ff); background: light-dark(#fff, #15181c); color: light-dark(#1f2328, #e6e9ed) }
* { box-sizing: border-box } body { margin: 0; display: grid; grid-template-columns: 14rem minmax(0, 1fr) }
a { color: var(--link) } h1 { margin-top: 0 } h2 { margin: 2.5rem 0 0 } h3 { font-size: .95rem; margin: 1.25rem 0 .25rem }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line) }
nav b { display: block; margin-bottom: .5rem } nav a { display: block; padding: .2rem 0; text-decoration: none }
main { max-width: 62rem; padding: 1.5rem 2rem 6rem } section > p { color: var(--quiet); margin: .25rem 0 1rem }
code, pre { font: .85em/1.5 ui-monospace, monospace } small, .type { color: var(--quiet); font-weight: normal }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0 }
details > div { padding: 0 1rem 1rem } details[open] > summary { border-bottom: 1px solid var(--line) }
summary { cursor: pointer; padding: .5rem 1rem; display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0 .5rem }
summary:hover { background: var(--soft) } summary span { grid-column: 2; color: var(--quiet) }
summary code { overflow-wrap: anywhere; align-self: center; font-weight: 600 } summary b { font-size: .8rem; line-height: 1.9 }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px } :target { scroll-margin-top: 1rem }
.get { color: light-dark(#0b5cad, #7cb7ff) } .post { color: light-dark(#1a7037, #6fd08c) } .delete { color: light-dark(#b3261e, #ff9a92) }
.put, .patch { color: light-dark(#8a5300, #f0b75e) }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); border-radius: 6px; padding: .75rem; margin: .25rem 0 }
pre i { color: var(--quiet) } details div > p:has(+ pre) { margin: 0 } ul { padding-left: 1.1rem; margin: .25rem 0 } li { margin: .3rem 0 }
button, input, select, textarea { font: inherit; color: inherit; background: light-dark(#fff, #0f1215); border: 1px solid var(--line);
  border-radius: 6px; padding: .4rem .6rem; max-width: 100% } textarea { font: .85em/1.5 ui-monospace, monospace; resize: vertical }
button { cursor: pointer; background: var(--soft); font-weight: 600; padding: .4rem 1rem } button:hover { border-color: var(--link) }
button:disabled { cursor: default; color: var(--quiet) } form.try button, button.try { justify-self: start; margin-top: .25rem }
form.try { display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem; border-top: 1px solid var(--line); margin-top: 1rem; padding-top: 1rem }
form.try label { display: grid; gap: .2rem; color: var(--quiet) } form.try label > * { color: light-dark(#1f2328, #e6e9ed) }
form.try label[hidden] { display: none } form.try label > span { color: var(--quiet); font-size: .875rem }
.secret { -webkit-text-security: disc } output p { margin: .5rem 0 } output pre { max-height: 30rem; overflow-y: auto }
dialog { max-width: min(34rem, calc(100vw - 2rem)); color: inherit; background: light-dark(#fff, #1d2126); border: 1px solid var(--line);
  border-radius: 8px; padding: 1.25rem } dialog h3 { margin: 0; font-size: 1.05rem } dialog::backdrop { background: rgb(0 0 0 / .5) }
dialog form { display: flex; gap: .5rem; justify-content: end; margin-top: 1rem }
@media (max-width: 48rem) { body { display: block } main { padding: 1rem }
  nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); columns: 2 } nav b { column-span: all }
  nav a { padding: .35rem 0 } summary { padding: .6rem .75rem } }`;
