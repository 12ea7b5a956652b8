import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TempFolder, tempFolder } from "../../e2e/provision/temp-folder.ts";
import { apiClient } from "./testing/api-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let folder: TempFolder;
let server: TestServer;

beforeAll(async () => {
  folder = await tempFolder();
  const clientDir = join(folder.path, ".hidden", "dist");
  await mkdir(join(clientDir, "assets"), { recursive: true });
  await writeFile(join(clientDir, "index.html"), "<!doctype html><title>The page</title>");
  await writeFile(join(clientDir, "assets", "main-1a2b.js"), "true;");
  await writeFile(join(clientDir, "mark.svg"), "<svg/>");
  server = await startTestServer({}, { clientDir });
});
afterAll(async () => {
  await server.close();
  folder.drop();
});

const get = async (path: string, accept = "text/html,*/*;q=0.8") => {
  const { status, headers, body } = await apiClient(server.origin).call("GET", path, undefined, {
    accept,
  });
  return { status, cache: headers.get("cache-control"), text: String(body.text), code: body.code };
};

describe("the built client", () => {
  it.each(["/", "/login", "/t/incidents/INC.1", "/nowhere"])(
    "answers the page at %s",
    async (path) => {
      const { status, cache, text } = await get(path);
      expect([status, cache]).toEqual([200, "no-cache"]);
      expect(text).toContain("The page");
    },
  );

  it("keeps hashed files for ever and asks again for the others", async () => {
    const asset = await get("/assets/main-1a2b.js", "*/*");
    expect([asset.status, asset.text]).toEqual([200, "true;"]);
    expect(asset.cache).toBe("public, max-age=31536000, immutable");
    expect((await get("/mark.svg", "image/*")).cache).toBe("no-cache");
  });

  it.each([
    ["/assets/old-9z.js", "*/*"],
    ["/assets/old-9z.js", "text/html"],
    ["/favicon.ico", "*/*"],
    ["/api/nothing", "text/html"],
    ["/login", "application/json"],
  ])("does not answer %s for %s by the page", async (path, accept) => {
    const { status, code } = await get(path, accept);
    expect([status, code]).toEqual([404, "not_found"]);
  });

  it.each(["/..%2f..%2findex.html", "/.hidden"])(
    "gives nothing from outside its folder at %s",
    async (path) => {
      expect((await get(path, "application/json")).status).toBeGreaterThanOrEqual(400);
    },
  );
});
