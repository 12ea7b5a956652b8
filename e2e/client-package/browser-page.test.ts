import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright";
import { build } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, visit } from "../browser/testing/browser.ts";
import { owner } from "../harness/server-process.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken } from "../harness/test-user.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../suite/run-tool.ts";
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
  await installClientPackage(folder.path);
});
afterAll(async () => {
  await browser.close();
  await installation[Symbol.asyncDispose]();
  folder.drop();
});

/** A bundle of a page's script, with what it uses of the package. */
async function bundled(name: string, source: string): Promise<string> {
  const input = join(folder.path, name);
  writeFileSync(input, source);
  await build({
    root: folder.path,
    configFile: false,
    logLevel: "silent",
    build: { target: "es2024", rolldownOptions: { input, output: { entryFileNames: name } } },
  });
  return readFileSync(join(folder.path, "dist", name), "utf8");
}

it("is as large in a bundle as its guide says", async () => {
  const errors = `import { WatchfloorError } from "@watchfloor/client"; console.log(WatchfloorError);`;
  const sizes = [await bundled("whole.js", script), await bundled("errors.js", errors)];
  const [whole = 0, ofErrors = 0] = sizes.map((text) => gzipSync(text).length / 1_000);
  const guide = readFileSync(join(repositoryRoot, "docs/guides/client.md"), "utf8");
  const [, most, least] = /about (\d+) kB \(compressed\), or (\d+) kB/.exec(guide) ?? [];
  expect(whole).toBeLessThan(Number(most) * 1.1);
  expect(ofErrors).toBeLessThan(Number(least) * 1.1);
});

it("runs in a page that has nothing but the package: live view, edit, end of the token, session and presence", async () => {
  const built = await bundled("page.js", script);
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
