import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, visit } from "../browser/testing/browser.ts";
import { owner } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken } from "../harness/test-user.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { installClientPackage } from "./install-client-package.ts";

const script = `
import { connect } from "@watchfloor/client";
const watchfloor = await connect({ url: location.origin, token: location.hash.slice(1) });
const groups = watchfloor.table("groups");
const show = (id, text) => { document.getElementById(id).textContent = text; };
groups.live({ filter: { field: "name", op: "startsWith", value: "Page" }, sort: ["name"] })
  .onChange((records) => show("groups", records.map(({ values }) => values.name).join()));
const button = document.querySelector("button");
button.onclick = async () => {
  const { record } = await groups.create({ name: "Page made this" });
  show("created", record);
};
button.disabled = false;
const { code, message } = await watchfloor.ended;
show("ended", code + ": " + message);
// By an account: the browser holds the session as a cookie.
const url = location.origin;
const account = await connect({ url, ...${JSON.stringify(owner)} });
const page = await connect({ url });
const presence = page.table("groups").presence();
presence.onChange((users) => show("present", users.map(({ mode }) => mode).join()));
account.table("groups").presence().set({ mode: "editing" });
const leave = document.createElement("button");
leave.textContent = "Leave";
leave.onclick = async () => {
  await account.close();
  show("left", (await page.ended).code);
};
document.body.append(leave);`;
const html = `<!doctype html><title>A page</title><button disabled>Create</button>
<p id="groups"></p><p id="created"></p><p id="ended"></p><p id="present"></p><p id="left"></p>`;

let browser: Browser;
let installation: TestInstallation;
let folder: TempFolder;
beforeAll(async () => {
  [browser, installation, folder] = await Promise.all([
    openBrowser(),
    TestInstallation.openInProcess(),
    tempFolder(),
  ]);
});
afterAll(async () => {
  await browser.close();
  await installation[Symbol.asyncDispose]();
  folder.drop();
});

it("runs in a page that has nothing but the package: live view, edit, end of the token, session and presence", async () => {
  await installClientPackage(folder.path);
  const input = join(folder.path, "page.js");
  writeFileSync(input, script);
  await build({
    root: folder.path,
    configFile: false,
    logLevel: "silent",
    build: { target: "es2024", rolldownOptions: { input, output: { entryFileNames: "page.js" } } },
  });
  const built = readFileSync(join(folder.path, "dist/page.js"), "utf8");
  const { ownerUser, server } = installation;
  const { id, token } = await addToken(ownerUser);

  // An answer of the server, whose place the page takes: a page of no address may not open sockets to this machine.
  const { page, leave } = await visit(browser, { bypassCSP: true });
  await page.goto(`${server.url}/healthz#${token}`);
  await page.setContent(html);
  await page.addScriptTag({ type: "module", content: built });
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("#groups", { hasText: "Page made this" }).waitFor();
  // The live view may show the record before the edit is answered.
  const made = await page.locator("#created", { hasText: /./ }).textContent();
  expect((await ownerUser.record("groups", String(made))).values.name).toBe("Page made this");
  const values = { name: "Page follows" };
  await ownerUser.call("POST", "/tables/groups/records", { values });
  await page.getByText("Page follows,Page made this").waitFor();
  await ownerUser.call("DELETE", `/tokens/${id}`);
  await page.locator("#ended", { hasText: /^session_ended: .*revoked/ }).waitFor();
  await page.locator("#present", { hasText: "editing" }).waitFor();
  await page.getByRole("button", { name: "Leave" }).click();
  await page.locator("#left", { hasText: "session_ended" }).waitFor();
  await leave();
});
