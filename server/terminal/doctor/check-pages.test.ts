import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, it } from "vitest";
import { checkPages } from "./check-pages.ts";

type Answer = (response: ServerResponse) => void;

const javascript: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end("export {};");
};
const page: Answer = (response) => {
  response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html>
    <link rel="modulepreload" crossorigin href="/assets/shared-1.js">
    <link rel="stylesheet" crossorigin href="/assets/style-1.css">
    <script type="module" crossorigin src="/assets/console-1.js"></script>`);
};

const answers: Record<string, Answer> = {};
const server = createServer((request, response) => answers[request.url ?? ""]?.(response));
await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close());

beforeEach(() => {
  Object.assign(answers, {
    "/": page,
    "/display": page,
    "/assets/console-1.js": javascript,
    "/assets/shared-1.js": javascript,
    "/assets/style-1.css": (response: ServerResponse) =>
      response.writeHead(200, { "content-type": "text/css" }).end("p {}"),
  });
});

it("finds nothing where the pages and their files arrive", async () => {
  expect(await checkPages(url)).toEqual([]);
});

it.each<[string, string, Answer, string]>([
  [
    "that a server of another version does not have",
    "/assets/console-1.js",
    (response) => response.writeHead(404, { "content-type": "application/problem+json" }).end("{}"),
    "its file /assets/console-1.js is answered 404 (application/problem+json).",
  ],
  [
    "in whose place a proxy sends a page",
    "/assets/shared-1.js",
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in"),
    "its file /assets/shared-1.js is answered 200 (text/html).",
  ],
  [
    "that is cut off",
    "/assets/style-1.css",
    (response) => {
      response.writeHead(200, { "content-type": "text/css", "content-length": 100 }).write("p {");
      setTimeout(() => response.destroy(), 10);
    },
    "its file /assets/style-1.css does not arrive whole.",
  ],
])("finds a file %s", async (_which, path, answer, problem) => {
  answers[path] = answer;
  const [finding, ...others] = await checkPages(url);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ check: "pages", level: "fault" });
  expect(finding?.message).toBe(`At PUBLIC_URL (${url}) the page / can't be loaded: ${problem}`);
});

it("finds another page in the place of that of displays", async () => {
  answers["/display"] = (response) => response.end("<p>Sign in");
  const [finding] = await checkPages(url);
  expect(finding?.message).toContain("the page /display can't be loaded: another page");
});
