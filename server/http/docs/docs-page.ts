import { readFileSync } from "node:fs";
import { type RequestHandler, Router } from "express";
import { z } from "zod";
import { memoize } from "../../../shared/memoize.ts";
import { modelSchema } from "../../../shared/model/model-schema.ts";
import { gzipped, sendGzipped } from "../gzipped.ts";
import { type OpenApi, openApi } from "./openapi.ts";
import type { Operation, Parameter } from "./operation.ts";
import type { Part } from "./schema-book.ts";
import { sampleOf, escapeHtml as text, typeHtml } from "./schema-text.ts";

/**
 * The page at /api/docs: an OpenAPI document to read. Plain HTML that needs no script: entries are `<details>`, links are anchors,
 * the browser finds text in it. try-it.js adds a form to each entry that is opened. Why no ready-made viewer: ADR 34.
 */
function docsPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name, description, "x-displayName": title }) => {
    const members = operations.filter(({ operation }) => operation.tags.includes(name));
    const entries = members.map((one) => operationHtml(one, document)).join("");
    return `<section id="${text(name)}"><h2>${text(title)}</h2><p>${prose(description)}</p>${entries}</section>`;
  });
  const links = document.tags.map(
    ({ name, "x-displayName": title }) => `<a href="#${text(name)}">${text(title)}</a>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Watchfloor API</title><style>${docsStyle}</style><script type="module" src="/api/docs/try-it.js"></script></head><body>
<nav aria-label="Groups"><b>Watchfloor API</b>${links.join("")}<a href="#errors">Errors</a><a href="#schemas">Schemas</a></nav>
<main><h1>Watchfloor API</h1>${introduction(document)}${sections.join("")}
<section id="errors"><h2>Errors</h2>${errors(document)}</section>
<section id="schemas"><h2>Schemas</h2>${schemasHtml(document)}</section></main></body></html>`;
}

function introduction({ info }: OpenApi): string {
  const paragraphs = info.description.split("\n\n").map((one) => `<p>${prose(one)}</p>`);
  return `${paragraphs.join("")}
<p>For generators: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1) and, for model files, <a
href="/api/v1/model.schema.json">model.schema.json</a>.</p>
<pre>curl "$WATCHFLOOR/api/v1/session" -H "Authorization: Bearer $TOKEN"</pre>`;
}

interface Located {
  path: string;
  method: string;
  operation: Operation;
}

function operationHtml(located: Located, document: OpenApi): string {
  const { path, method, operation } = located;
  const { operationId, summary, description, parameters, requestBody } = operation;
  const [media, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const open = operation.security.length === 0 ? " <small>no sign-in</small>" : "";
  return `<details id="${text(operationId)}"><summary><b class="${method}">${method.toUpperCase()}</b>
<code>${text(path).replaceAll("/", "/<wbr>")}</code><span>${prose(summary)}${open}</span></summary><div>
<p>${prose(description)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3><ul>${parameters.map(parameterHtml).join("")}</ul>` : ""}
${body ? `<h3>Body <small>${text(media ?? "")}</small></h3><pre>${typeHtml(inlined(body.schema, document))}</pre>` : ""}
<h3>Example</h3><pre class="call">${text(curl(located, document))}</pre>
<h3>Answers</h3>${answersHtml(operation, document)}</div></details>`;
}

function parameterHtml({ name, in: place, required, description, schema }: Parameter): string {
  const notes = [typeHtml(schema), place, required ? "required" : "optional"].join(", ");
  return `<li><code>${text(name)}</code> <small>${notes}</small><br>${prose(description)}</li>`;
}

function answersHtml(operation: Operation, document: OpenApi): string {
  const answers = Object.entries(operation.responses).filter(([, { description }]) => description);
  const types = answers.map(([status, { content = {} }]) => {
    const [media, one] = Object.entries(content)[0] ?? [];
    const type =
      one &&
      `${text(media ?? "")}</small></p><pre>${typeHtml(inlined(one.schema, document))}</pre>`;
    return `<p>${status} <small>${type ?? "without a body</small></p>"}`;
  });
  const codes = operation["x-error-codes"].map((one) => `<a href="#error-${one}">${one}</a>`);
  return `${types.join("")}<p>Errors: ${codes.join(", ")}.</p>`;
}

/** A schema that only one operation has is shown there, the others by name. */
function inlined(schema: Part, { components }: OpenApi): Part {
  const name =
    String(schema.$ref ?? "")
      .split("/")
      .at(-1) ?? "";
  return (isOwn(name) && components.schemas[name]) || schema;
}

const isOwn = (name: string) => /^[a-z]/.test(name);

/** The call in a shell, with its required parameters and an example of its body. */
function curl({ path, method, operation }: Located, document: OpenApi): string {
  const { parameters, requestBody, security, responses } = operation;
  const query = parameters.filter((one) => one.in === "query" && one.required);
  const search = query.map(({ name }) => `${name}=…`).join("&");
  const [media = "", body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isJson = media === "application/json";
  const sample = body && JSON.stringify(sampleOf(body.schema, document.components.schemas));
  const address = `"$WATCHFLOOR${path}${search && `?${search}`}"`;
  const lines = [
    `curl ${address}${method === "get" || (method === "post" && body) ? "" : ` -X ${method.toUpperCase()}`}`,
    security.length > 0 && !security.some((one) => "display" in one)
      ? `-H "Authorization: Bearer $TOKEN"`
      : "",
    body ? `-H "Content-Type: ${media}"` : "",
    body && isJson ? `-d '${sample}'` : "",
    body && !isJson ? "--data-binary @file.csv" : "",
    Object.values(responses).some(({ content }) => content && !("application/json" in content)) &&
    method === "get"
      ? "-OJ"
      : "",
  ];
  return lines.filter(Boolean).join(" \\\n  ");
}

function errors({ components }: OpenApi): string {
  const statuses = Object.entries(components.responses).map(([name, part]) => {
    const status = name.replace("Problem", "");
    const lines = String(part.description).split("\n");
    const items = lines
      .map((line) => `<li id="error-${/`(\w+)`/.exec(line)?.[1]}">${prose(line.slice(2))}</li>`)
      .join("");
    return `<h3 id="errors-${status}">${status}</h3><ul>${items}</ul>`;
  });
  return `<p>An error is a <a href="#schema-Problem">Problem</a> (RFC 9457). Switch on its code.</p>${statuses.join("")}`;
}

function schemasHtml({ components }: OpenApi): string {
  return Object.entries(components.schemas)
    .filter(([name]) => !isOwn(name))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) => {
      const { description } = schema as Part & { description?: string };
      const note = description ? `<p>${prose(description)}</p>` : "";
      return `<h3 id="schema-${text(name)}">${text(name)}</h3>${note}<pre>${typeHtml(schema)}</pre>`;
    })
    .join("");
}

/** Text in which backticks mark code. */
function prose(sentences: string): string {
  return text(sentences).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** The style of the page at /api/docs: light and dark as the system is, one column on a phone. */
const docsStyle = `
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

/** Serves the API's description as a page; it contains no data and needs no sign-in. `limit` refuses those who ask too often. */
export function docsRouter(version: string, limit: RequestHandler): Router {
  // Made at their first use, and encoded once: the description would take an eighth of a server's start.
  const page = memoize(() => gzipped(docsPage(openApi(version))));
  // Of the document that PUT /model takes, so that a model file can be checked while it is written.
  const modelForm = memoize(() =>
    gzipped(JSON.stringify(z.toJSONSchema(modelSchema, { io: "input", metadata: z.registry() }))),
  );
  const tryIt = memoize(() => gzipped(readFileSync(new URL("try-it.js", import.meta.url), "utf8")));
  const router = Router();
  const documents = [
    { path: "/v1/model.schema.json", type: "json", document: modelForm },
    { path: "/docs", type: "html", document: page },
    { path: "/docs/try-it.js", type: "js", document: tryIt },
  ];
  for (const { path, type, document } of documents) {
    router.get(path, limit, async (request, response) => {
      await sendGzipped(request, response, type, await document());
    });
  }
  return router;
}
