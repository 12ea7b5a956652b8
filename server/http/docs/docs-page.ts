import { docsStyle } from "./docs-style.ts";
import { escapeHtml as text } from "./escape-html.ts";
import type { OpenApi } from "./openapi.ts";
import type { Operation, Parameter } from "./operation.ts";
import type { Part } from "./schema-book.ts";
import { sampleOf, typeHtml } from "./schema-text.ts";

/**
 * The page at /api/docs: an OpenAPI document to read. Plain HTML; try-it.js adds a form to each entry that is opened.
 */
export function docsPage(document: OpenApi): string {
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
