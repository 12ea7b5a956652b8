import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from "node:tls";
import { expect, it } from "vitest";
import { findProgram, provideProgram } from "../../e2e/provision/programs.ts";
import { tempFolder } from "../../e2e/provision/temp-folder.ts";
import { sendRequest } from "./send-request.ts";

const TIMEOUT_MS = 30_000;
const answers = {
  "switches protocols": [
    "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    { error: "status", status: 101, excerpt: null },
  ],
  "closes without an answer": ["", { error: "connection", status: null, excerpt: null }],
  "closes within its answer": [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin",
    { error: null, status: 200, excerpt: "begin" },
  ],
  "does not end its answer": [
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin",
    { error: null, status: 200, excerpt: "begin" },
  ],
  "says when to come again": [
    "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n",
    { error: "status", status: 429, retryAfterMs: 120_000 },
  ],
} as const;

it.each(Object.entries(answers))("ends if the receiver %s", async (what, [answer, outcome]) => {
  const isOpen = what === "does not end its answer";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => (isOpen ? socket.write(answer) : socket.end(answer)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const limits = { timeoutMs: TIMEOUT_MS, allowPrivate: true };
  const result = await sendRequest({ url, headers: {}, body: "{}", ...limits });
  expect(result).toMatchObject(outcome);
  // Nobody waits for what an answer holds besides its status until the time is over.
  expect(result.durationMs).toBeLessThan(TIMEOUT_MS);
  server.close();
});

it("says what is wrong with a receiver's certificate: its time, its name, or who signed it", async () => {
  await provideProgram(() => findProgram(["openssl"]), "openssl", "openssl");
  const folder = await tempFolder();
  const openssl = (...args: string[]) =>
    execFileSync("openssl", args, { cwd: folder.path, stdio: "ignore" });
  const made = (name: string, days: string) => {
    writeFileSync(`${folder.path}/names`, `subjectAltName=DNS:${name}`);
    const request = ["-nodes", "-keyout", "key", "-out", "request", "-subj", `/CN=${name}`];
    openssl("req", "-new", "-newkey", "rsa:2048", ...request);
    const signed = ["-signkey", "key", "-days", days, "-extfile", "names", "-out", "cert"];
    openssl("x509", "-req", "-in", "request", ...signed);
    const [key, cert] = ["key", "cert"].map((file) => readFileSync(`${folder.path}/${file}`));
    return { key: key as Buffer, cert: cert as Buffer };
  };
  const failureOf = async (name: string, days: string, ca: boolean) => {
    const own = made(name, days);
    const server = createTlsServer(own, (socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    }).listen(0, "127.0.0.1");
    server.on("tlsClientError", () => {});
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    if (ca) setDefaultCACertificates([...known, own.cert.toString()]);
    const limits = { timeoutMs: 60_000, allowPrivate: true };
    const url = `https://localhost:${port}/`;
    const { error } = await sendRequest({ url, headers: {}, body: "{}", ...limits });
    setDefaultCACertificates(known);
    server.close();
    return error;
  };
  const known = getCACertificates("default");
  expect(await failureOf("localhost", "2", true)).toBeNull();
  expect(await failureOf("localhost", "2", false)).toBe("certificate");
  expect(await failureOf("other.example", "2", true)).toBe("certificate_name");
  expect(await failureOf("localhost", "-1", true)).toBe("certificate_expired");
  folder.drop();
});
