/**
 * "Try it" on the page at /api/docs: a form in each entry that calls this server and shows the answer. A call that may
 * change something is confirmed first. A pasted token stays in this variable until the page is left, and nowhere else.
 */
const credential = { kind: "session", token: "" };
/** Longer answers are cut. */
const SHOWN_CHARACTERS = 50_000;
const shownHeaders = ["content-type", "etag", "ratelimit", "retry-after"];

/** @type {Promise<Map<string, object>> | undefined} */
let operations;

/** Every operation by its id, read once. */
async function loadOperations() {
  const { paths } = await (await fetch("/api/v1/openapi.json", { credentials: "omit" })).json();
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return new Map(all.map((one) => [one.operationId, one]));
}

/** An element with properties and children. */
function el(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function labelled(text, control) {
  return el("label", {}, el("span", { textContent: text }), control);
}

/** Sign-in calls and those of displays have credentials of their own, which nobody should type here. */
function isOffered({ method, security }) {
  return security.length > 0 ? !security.some((one) => "display" in one) : method === "get";
}

function parameterControl({ name, required, schema }) {
  const options = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
  const properties = { name, required, autocomplete: "off", spellcheck: false };
  if (!options) return el("input", properties);
  const choices = options.map((value) => el("option", { value, textContent: value }));
  return el("select", properties, ...(required ? [] : [el("option", { value: "" })]), ...choices);
}

/** Who makes the call: the reader's session, or a token. */
function credentialControls() {
  const kind = el(
    "select",
    {},
    ...[
      el("option", { value: "session", textContent: "My session in this browser" }),
      el("option", { value: "token", textContent: "An API token" }),
    ],
  );
  const token = el("input", { className: "secret", autocomplete: "off", spellcheck: false });
  const tokenLabel = labelled("Token (never stored)", token);
  const show = () => {
    kind.value = credential.kind;
    token.value = credential.token;
    tokenLabel.hidden = credential.kind !== "token";
  };
  kind.addEventListener("change", () => {
    credential.kind = kind.value;
    show();
    if (kind.value === "token") token.focus();
  });
  token.addEventListener("input", () => {
    credential.token = token.value.trim();
  });
  show();
  return { elements: [labelled("Call with", kind), tokenLabel], show };
}

/** The request that a form describes. */
function requestOf({ path, method, parameters }, controls, body, media) {
  const url = new URL(path, location.origin);
  const headers = {};
  let address = path;
  for (const { name, in: place } of parameters) {
    const value = controls.get(name).value.trim();
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== "" && place === "query") url.searchParams.set(name, value);
    else if (value !== "") headers[name] = value;
  }
  if (body) headers["content-type"] = media;
  const isToken = credential.kind === "token";
  if (isToken) headers.authorization = `Bearer ${credential.token}`;
  const options = {
    method: method.toUpperCase(),
    headers,
    credentials: isToken ? "omit" : "same-origin",
    ...(body && { body: body.value }),
  };
  return { address: address + url.search, options };
}

async function send({ address, options }, output) {
  output.replaceChildren("Waiting for the answer…");
  try {
    const started = performance.now();
    const answer = await fetch(address, options);
    const text = await answer.text();
    const time = Math.round(performance.now() - started);
    const headers = shownHeaders
      .filter((name) => answer.headers.has(name))
      .map((name) => `${name}: ${answer.headers.get(name)}\n`);
    output.replaceChildren(
      el(
        "p",
        {},
        el("b", { textContent: `${answer.status} ${answer.statusText}` }),
        ` in ${time} ms`,
      ),
      el("pre", { tabIndex: 0, textContent: `${headers.join("")}\n${readable(text)}`.trim() }),
    );
  } catch {
    output.replaceChildren("The server does not answer, or the address or token can’t be sent.");
  }
}

function readable(text) {
  const cut = (whole) =>
    whole.length > SHOWN_CHARACTERS ? `${whole.slice(0, SHOWN_CHARACTERS)}\n… cut here` : whole;
  try {
    return cut(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return cut(text);
  }
}

/** Resolves to whether the reader wants to make a call that may change something. */
function confirmed({ address, options }) {
  const who = credential.kind === "token" ? "the pasted API token" : "your session";
  const cancel = el("button", { value: "", textContent: "Cancel", autofocus: true });
  const go = el("button", { value: "send", textContent: `Send ${options.method}` });
  const title = el("h3", { id: "confirm-title", textContent: "Change this installation?" });
  const text = `This call is real: it can change or delete data here, with the rights of ${who}.`;
  const call = el("pre", { textContent: `${options.method} ${address}` });
  const buttons = el("form", { method: "dialog" }, cancel, go);
  const dialog = el("dialog", {}, title, el("p", { textContent: text }), call, buttons);
  dialog.setAttribute("aria-labelledby", "confirm-title");
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "send");
    });
  });
}

function formFor(operation, sample) {
  const [media] = Object.keys(operation.requestBody?.content ?? {});
  const controls = new Map(operation.parameters.map((one) => [one.name, parameterControl(one)]));
  const fields = operation.parameters.map(({ name, required }) =>
    labelled(required ? `${name} (required)` : name, controls.get(name)),
  );
  const body = media && el("textarea", { rows: 6, value: sample, spellcheck: false });
  const credentials = credentialControls();
  const button = el("button", { textContent: "Send" });
  const output = el("output");
  const form = el(
    "form",
    { className: "try", autocomplete: "off" },
    ...fields,
    ...(body ? [labelled(`Body (${media})`, body)] : []),
    ...credentials.elements,
    button,
    output,
  );
  form.addEventListener("focusin", credentials.show);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const request = requestOf(operation, controls, body, media);
    if (operation.method !== "get" && !(await confirmed(request))) return;
    button.disabled = true;
    await send(request, output);
    button.disabled = false;
    button.focus();
  });
  return form;
}

/** The body of the entry's example call. */
function sampleOf(details) {
  const [, text] = / -d '([\s\S]*)'$/.exec(details.querySelector("pre.call").textContent) ?? [];
  return text ? JSON.stringify(JSON.parse(text), null, 2) : "";
}

async function offer(details) {
  operations ??= loadOperations();
  const operation = (await operations).get(details.id);
  if (!operation || !isOffered(operation) || details.querySelector(".try")) return;
  const button = el("button", { className: "try", textContent: "Try it" });
  button.addEventListener("click", () => {
    const form = formFor(operation, sampleOf(details));
    button.replaceWith(form);
    form.querySelector("input, select, textarea, button").focus();
  });
  details.lastElementChild.append(button);
}

for (const details of document.querySelectorAll("details")) {
  details.addEventListener("toggle", () => details.open && void offer(details));
  if (details.open) void offer(details);
}
addEventListener("pagehide", () => {
  credential.token = "";
  for (const input of document.querySelectorAll("input.secret")) input.value = "";
});
