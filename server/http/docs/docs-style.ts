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
pre { overflow-x: auto; background: var(--soft); border-radius: 6px; padding: .75rem; margin: .25rem 0 }
pre i { color: var(--quiet) } details div > p:has(+ pre) { margin: 0 } ul { padding-left: 1.1rem; margin: .25rem 0 } li { margin: .3rem 0 }
@media (max-width: 48rem) { body { display: block } main { padding: 1rem }
  nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); columns: 2 } nav b { column-span: all }
  nav a { padding: .35rem 0 } summary { padding: .6rem .75rem } }`;
