import { methodAndPath } from "../../../shared/contract/call.ts";
import { contract, type RouteName } from "../../../shared/contract/contract.ts";
import { escapeHtml as text } from "./escape-html.ts";
import type { OpenApi } from "./openapi.ts";

/**
 * The browsable page at /api/docs: plain HTML from the contract, without script, so that the content policy
 * applies to it too.
 */
export function docsPage(document: OpenApi): string {
  const names = Object.keys(contract) as RouteName[];
  const tags = [...new Set(names.map(tagOf))];
  const links = tags.map((tag) => `<a href="#${text(tag)}">${text(tag)}</a>`).join(" ");
  const sections = tags.map((tag) => {
    const members = names.filter((name) => tagOf(name) === tag);
    const entries = members.map((name) => entry(name, document)).join("");
    return `<section id="${text(tag)}"><h2>${text(tag)}</h2>${entries}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Watchfloor API</title><style>${style}</style></head><body><main>
<h1>Watchfloor API</h1>
<p>Sign in by <code>POST /api/v1/session</code> and keep its cookie, or send
<code>Authorization: Bearer …</code>. The same as a document for machines:
<a href="/api/v1/openapi.json">openapi.json</a>.</p>
<nav>${links}</nav>${sections.join("")}</main></body></html>`;
}

function tagOf(name: RouteName): string {
  return methodAndPath(name).path.split("/")[1] ?? "";
}

function entry(name: RouteName, document: OpenApi): string {
  const { method, path: below } = methodAndPath(name);
  const route = contract[name];
  const path = `/api/v1${below}`;

  const operation = JSON.stringify(document.paths[path]?.[method.toLowerCase()], null, 2);
  const open = route.right === "none" ? "<small>no sign-in needed</small>" : "";
  return `<details><summary><b>${method}</b> <code>${text(path)}</code>
<span>${text(route.summary)}</span> ${open}</summary><pre>${text(operation)}</pre>
${schemas(operation, document)}</details>`;
}

/** The schemas that an operation refers to, expanded below it. */
function schemas(operation: string, document: OpenApi): string {
  const names = [...operation.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
  return names
    .map((name = "") => {
      const schema = JSON.stringify(document.components.schemas[name], null, 2);
      return `<h3>${text(name)}</h3><pre>${text(schema)}</pre>`;
    })
    .join("");
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
nav a { margin-right: .75rem }
details { border-top: 1px solid #8886; padding: .4rem 0 }
summary { cursor: pointer } summary b { display: inline-block; min-width: 4.5rem }
summary span { margin-left: .5rem } small { opacity: .7 }
pre { overflow: auto; padding: .75rem; background: #8882; font-size: .85rem }
h3 { font-size: 1rem; margin-bottom: 0 }`;
