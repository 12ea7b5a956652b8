import { mkdir, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
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
  const long = `const text = "${"long ".repeat(1_000)}";`;
  await writeFile(join(clientDir, "assets", "long-3c4d.js"), long);
  await writeFile(join(clientDir, "assets", "long-3c4d.js.br"), brotliCompressSync(long));
  await writeFile(join(clientDir, "assets", "long-3c4d.js.gz"), gzipSync(long));
  await writeFile(
    join(clientDir, "index.html.gz"),
    gzipSync("<!doctype html><title>The page</title>"),
  );
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
  it.each([
    ...[
      "/",
      "/login",
      "/t/incidents/INC.1",
      "/nowhere",
      "/t/incidents/a%2Fb",
      "/t/incidents/%2e%2e",
    ],
    ...["/t/incidents/%", "/t/%zz/board", "/t/incidents/%E0%A4%A", "/t/incidents/%00", "/%"],
  ])("answers the page at %s", async (path) => {
    const { status, cache, text } = await get(path);
    expect([status, cache]).toEqual([200, "no-cache"]);
    expect(text).toContain("The page");
  });

  it("lets hashed files be cached for ever and revalidates the others", async () => {
    const asset = await get("/assets/main-1a2b.js", "*/*");
    expect([asset.status, asset.text]).toEqual([200, "true;"]);
    expect(asset.cache).toBe("public, max-age=31536000, immutable");
    expect((await get("/mark.svg", "image/*")).cache).toBe("no-cache");
  });

  it("logs its files at level debug, and missing ones at level info", async () => {
    const levelOf = async (path: string) => {
      await get(path, "*/*");
      const line = () => server.log.findLast((one) => one.includes(`"path":"${path}"`));
      await expect.poll(line).toBeDefined();
      return (JSON.parse(line() ?? "{}") as { level: number }).level;
    };
    expect(await levelOf("/assets/main-1a2b.js")).toBe(20);
    expect(await levelOf("/assets/gone.js")).toBe(30);
    expect(await levelOf("/api/v1/setup")).toBe(30);
  });

  it.each([
    ["/assets/old-9z.js", "*/*"],
    ["/assets/old-9z.js", "text/html"],
    ["/favicon.ico", "*/*"],
    ["/api/nothing", "text/html"],
    ["/login", "application/json"],
    ["/assets/%zz", "text/html"],
  ])("does not answer %s for %s by the page", async (path, accept) => {
    const { status, code } = await get(path, accept);
    expect([status, code]).toEqual([404, "not_found"]);
  });

  it.each(["/..%2f..%2findex.html", "/.hidden"])(
    "serves nothing from outside its folder at %s",
    async (path) => {
      expect((await get(path, "application/json")).status).toBeGreaterThanOrEqual(400);
    },
  );
});

describe("compressed files", () => {
  /** Status, headers and length on the wire; `fetch` would hide the encoding. */
  const raw = (path: string, encoding: string, accept = "*/*") =>
    new Promise<{ headers: IncomingHttpHeaders; bytes: number }>((resolve, reject) => {
      const headers = { accept, "accept-encoding": encoding };
      request(server.origin + path, { headers }, (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on("end", () => resolve({ headers: response.headers, bytes }));
      })
        .on("error", reject)
        .end();
    });

  it.each([
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["identity", undefined],
  ])("are sent to a browser that takes %s", async (accepted, encoding) => {
    const { headers, bytes } = await raw("/assets/long-3c4d.js", accepted);
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers["content-type"]).toMatch(/javascript/);
    expect(headers.vary).toMatch(/Accept-Encoding/);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(bytes < 1_000).toBe(encoding !== undefined);
  });

  it("are sent for the page too, revalidated each time", async () => {
    const { headers } = await raw("/t/incidents", "gzip, br", "text/html");
    expect(headers["content-encoding"]).toBe("gzip");
    expect(headers["content-type"]).toMatch(/html/);
    expect(headers["cache-control"]).toBe("no-cache");
  });

  it("of the API are compressed as they are sent", async () => {
    const plain = await raw("/api/v1/openapi.json", "identity");
    const compressed = await raw("/api/v1/openapi.json", "gzip");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(compressed.headers["content-encoding"]).toBe("gzip");
    expect(compressed.bytes).toBeLessThan(plain.bytes / 4);
  });
});
