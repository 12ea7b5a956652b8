// Covers: docs/guides/deploy server/http server/socket
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { runProgram } from "../harness/run-program.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { until } from "../harness/until.ts";
import { cleanUpAtExit, killNow } from "../provision/clean-up.ts";
import { freePort } from "../provision/free-port.ts";
import { findProgram, provideProgram } from "../provision/programs.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import { repositoryRoot } from "../suite/run-tool.ts";

/** Two servers as docker-compose.yml starts them, behind each of the documented proxies. */

const run = promisify(execFile);
/** Needs escaping in a URL, in SQL and in a shell. */
const password = `p@ss/w#rd:%41'"$x y`;
const database = `desk_${process.pid}`;
const fileOf = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");

let folder: TempFolder;
let redis: TestRedis;
let postgres: URL;
let environment: Record<string, string>;
let servers: ServerProcess[] = [];
let port: number;
let publicUrl: string;

async function psql(sql: string): Promise<void> {
  await run("psql", ["--no-psqlrc", "--dbname=postgres", "--command", sql], {
    env: psqlEnvironment(),
  });
}

function psqlEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    PGHOST: postgres.hostname,
    PGPORT: postgres.port,
    PGUSER: decodeURIComponent(postgres.username),
    PGPASSWORD: decodeURIComponent(postgres.password),
  };
}

beforeAll(async () => {
  folder = await tempFolder();
  port = await freePort();
  publicUrl = `https://localhost:${port}`;
  redis = await startRedis();
  await run("redis-cli", ["-p", String(redis.port), "CONFIG", "SET", "requirepass", password]);
  postgres = new URL(inject("postgresTcp").adminUrl);
  await run("sh", [join(repositoryRoot, "server/create-database.sh")], {
    env: {
      ...psqlEnvironment(),
      POSTGRES_USER: decodeURIComponent(postgres.username),
      DATABASE_NAME: database,
      DATABASE_PASSWORD: password,
    },
  });
  environment = {
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: "1",
    DATABASE_URL: `postgres://${database}_server@${postgres.host}/${database}`,
    DATABASE_PASSWORD: password,
    REDIS_URL: redis.url,
    REDIS_PASSWORD: password,
  };
  servers = [
    await ServerProcess.start({ environment }),
    await ServerProcess.start({ environment }),
  ];
  const subject = ["-subj", "/CN=localhost", "-days", "1"];
  const files = ["-keyout", join(folder.path, "key.pem"), "-out", join(folder.path, "cert.pem")];
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, ...files]);
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await psql(`drop database if exists ${database} with (force)`);
  await psql(`drop role if exists ${database}_server`);
  await redis.close();
  folder.drop();
});

/** Starts a proxy and returns how to end it. */
async function start(program: string, args: string[], env = {}): Promise<() => Promise<unknown>> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: folder.path, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (text) => {
    output += String(text);
  });
  const forget = cleanUpAtExit(() => killNow(child.pid));
  await until("the proxy answers", 60_000, async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
    return (await call("/readyz").catch(() => null))?.status === 200;
  });
  return async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    forget();
  };
}

async function startCaddy() {
  const caddy = await provideProgram(() => findProgram(["caddy"]), "caddy", "Caddy");
  const config = join(repositoryRoot, "server/Caddyfile");
  return start(caddy, ["run", "--adapter", "caddyfile", "--config", config], {
    PUBLIC_URL: publicUrl,
    UPSTREAMS: servers.map(({ port: at }) => `127.0.0.1:${at}`).join(" "),
    CADDY_ADMIN: `localhost:${await freePort()}`,
    HTTP_PORT: String(await freePort()),
    XDG_DATA_HOME: folder.path,
    XDG_CONFIG_HOME: folder.path,
  });
}

/** The documented file with this test's ports and certificate, in the frame that Debian's nginx.conf gives it. */
async function startNginx(edit: (config: string) => string = (config) => config) {
  const nginx = await provideProgram(() => findProgram(["nginx"]), "nginx", "nginx");
  const [one, two] = servers;
  const site = fileOf("docs/guides/deploy/nginx.conf")
    .replace("127.0.0.1:3001", `127.0.0.1:${one?.port}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${two?.port}`)
    .replaceAll("desk.example.com;", "localhost;")
    .replace("listen 80;", `listen 127.0.0.1:${await freePort()};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
    .replace("/etc/ssl/desk.example.com.pem", join(folder.path, "cert.pem"))
    .replace("/etc/ssl/desk.example.com.key", join(folder.path, "key.pem"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${folder.path}/${kind};`)
    .join(" ");
  const path = join(folder.path, "nginx.conf");
  writeFileSync(
    path,
    `daemon off; user root; pid ${folder.path}/nginx.pid; error_log stderr; events {}
http { access_log off; ${temporary}
${edit(site)} }`,
  );
  return start(nginx, ["-c", path, "-e", "stderr", "-p", folder.path]);
}

interface Received {
  status: number;
  cookies: string[];
  body: string;
}

/** A request to the proxy, whose certificate nobody knows. */
function call(
  path: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: object; body?: object } = {},
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const sent = request(
    `${publicUrl}${path}`,
    {
      method,
      headers: { "content-type": "application/json", origin: publicUrl, ...headers },
      rejectUnauthorized: false,
    },
    (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += String(chunk);
      });
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          cookies: answer.headers["set-cookie"] ?? [],
          body: text,
        }),
      );
    },
  );
  sent.on("error", reject);
  sent.end(body && JSON.stringify(body));
  return promise;
}

async function signIn(headers: object = {}): Promise<{ cookie: string; line: string }> {
  const { status, cookies } = await call("/api/v1/session", {
    method: "POST",
    headers,
    body: owner,
  });
  expect(status).toBe(200);
  const line = cookies.find((one) => one.includes("watchfloor_session=")) ?? "";
  return { cookie: line.split(";")[0] ?? "", line };
}

/** Opens a socket as a browser does, by its cookie; returns the error, or null once it is open. */
async function openSocket(cookie: string, origin: string): Promise<string | null> {
  const socket = io(publicUrl, {
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    rejectUnauthorized: false,
    auth: { protocol: PROTOCOL_VERSION },
    extraHeaders: { cookie, origin },
  });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  socket.once("connect", () => resolve(null));
  socket.once("connect_error", (error) => resolve(error.message));
  return promise.finally(() => socket.close());
}

const rewritesHost = (config: string) =>
  config
    .replace("proxy_set_header Host $http_host;", "")
    .replace("proxy_set_header X-Forwarded-Host $http_host;", "");

describe.each([
  ["Caddy, as in docker-compose.yml", () => startCaddy()],
  ["nginx, as documented", () => startNginx()],
  ["nginx, with a rewritten Host", () => startNginx(rewritesHost)],
])("two servers behind %s", (_name, startProxy) => {
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    stop = await startProxy();
  });
  afterAll(() => stop());

  it("sets cookies of https", async () => {
    const { line } = await signIn();
    expect(line).toMatch(/^__Host-watchfloor_session=.*; Secure$/);
  });

  it("opens sockets for its own pages and for no others", async () => {
    const { cookie } = await signIn();
    expect(await openSocket(cookie, publicUrl)).toBeNull();
    expect(await openSocket(cookie, "https://elsewhere.example")).not.toBeNull();
  });

  it("does not believe the address that a client claims", async () => {
    const { cookie } = await signIn({ "x-forwarded-for": "203.0.113.9" });
    const { body } = await call("/api/v1/security-events?group=signIns&limit=1", {
      headers: { cookie },
    });
    expect(JSON.parse(body).items[0].kind).toBe("sign_in");
    expect(JSON.parse(body).items[0].ip).not.toContain("203.0.113");
  });

  it("has a certificate that doctor warns of, because nobody known has signed it", async () => {
    const own = { ...environment, HOST: "127.0.0.1", PORT: String(servers[0]?.port) };
    const { out } = await runProgram(["doctor"], own);
    expect(out).toContain("public-url: This machine does not accept the TLS certificate");
  });

  it("passes the parts of a path on as they are encoded, so that an id leads to no other record", async () => {
    expect((await call("/api/v1/setup")).status).toBe(200);
    expect((await call("/api/v1/x%2F..%2Fsetup")).status).toBe(404);
    expect((await call("/api/v1/setup%2F")).status).toBe(404);
  });

  it("does not show metrics", async () => {
    expect((await call("/metrics")).status).toBe(404);
  });

  it("answers while one of the servers is unavailable", async () => {
    await servers[0]?.kill("SIGTERM");
    for (let n = 0; n < 5; n += 1) expect((await call("/api/v1/setup")).status).toBe(200);
    await servers[0]?.start();
  });
});

it("documents systemd units that systemd accepts: one server, one for each port, and the browser of a display", async () => {
  const unit = join(folder.path, "watchfloor.service");
  const analyze = await provideProgram(
    () => findProgram(["systemd-analyze"]),
    "systemd",
    "systemd-analyze",
  );
  const text = fileOf("docs/guides/deploy/watchfloor.service")
    .replace("ExecStartPre=/usr/bin/node", `ExecStartPre=${process.execPath}`)
    .replace("ExecStart=/opt/watchfloor/.cache/node", `ExecStart=${process.execPath}`)
    .replace("User=watchfloor", "User=root");
  writeFileSync(unit, text);
  // The guide's command for two servers, on this unit.
  const [instances = ""] = /^sed 's[^>]*> \S+$/m.exec(fileOf("docs/guides/deploying.md")) ?? [];
  const command = instances
    .replace("/opt/watchfloor/docs/guides/deploy", folder.path)
    .replace("/etc/systemd/system", folder.path);
  await run("sh", ["-c", command]);
  expect(readFileSync(join(folder.path, "watchfloor@.service"), "utf8")).toMatch(
    /^Environment=PORT=%i$/m,
  );
  const browser = /(?<=^ExecStart=)\S+/m;
  const display = fileOf("docs/guides/deploy/display.service").replace(browser, process.execPath);
  writeFileSync(join(folder.path, "display.service"), display);
  for (const name of ["watchfloor.service", "watchfloor@3001.service", "display.service"]) {
    const { stderr } = await run(analyze, ["verify", "--man=no", join(folder.path, name)]);
    expect(stderr).not.toMatch(/(?:watchfloor@?|display)\S*\.service/);
  }
});
