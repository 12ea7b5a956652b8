import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markDark } from "../../store/displays/displays.ts";
import { DISPLAY_COOKIE, PAIRING_COOKIE } from "../credential.ts";
import { type ApiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

const api = "/api/v1";
const report = {
  board: "desk",
  lagMs: 400,
  build: "the build",
  width: 1920,
  height: 1080,
  pixelRatio: 1,
  memoryMb: 31,
  uptimeSeconds: 60,
};

const CODES_PER_ADDRESS = 30;

let server: TestServer;
let owner: ApiClient;
let program: pg.Client;
beforeAll(async () => {
  server = await startTestServer({
    PAIRING_CODES_PER_ADDRESS: String(CODES_PER_ADDRESS),
  });
  await server.owner();
  owner = await signedInClient(server.origin, ownerCredentials);
  program = new pg.Client({ connectionString: server.databaseUrl });
  await program.connect();
});
afterAll(async () => {
  await program.end();
  await server.close();
});

/** A screen: stores its cookies, as a browser does. */
class Screen {
  readonly cookies = new Map<string, string>();

  async call(method: string, path: string, body?: unknown) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(server.origin + api + path, {
      method,
      redirect: "manual",
      headers: { cookie, origin: server.origin, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = answer.headers.getSetCookie();
    for (const line of set) {
      const [name = "", value = ""] = line.split(";")[0]?.split("=") ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    const text = await answer.text();
    return { status: answer.status, set, body: text ? JSON.parse(text) : null };
  }

  async code(): Promise<string> {
    return (await this.call("POST", "/display/pairing")).body.code;
  }
}

/** A paired screen. */
async function pairedScreen(name: string) {
  const screen = new Screen();
  const call = { code: await screen.code(), name, boards: ["desk", "queue"] };
  const { body } = await owner.call("POST", `${api}/displays`, call);
  await screen.call("GET", "/display/pairing");
  return { screen, id: body.id as string };
}

const statusOf = async (id: string) =>
  (await owner.call("GET", `${api}/displays/${id}`)).body.status;

describe("D1 a screen is paired by the code that it shows", () => {
  it("gets its credential in a cookie that no script sees, and nothing secret in a body", async () => {
    const screen = new Screen();
    const started = await screen.call("POST", "/display/pairing");
    expect(started.status).toBe(201);
    expect(started.body.code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/);
    expect(Date.parse(started.body.expires) - Date.parse(started.body.now)).toBe(600_000);
    expect(started.set.join()).toMatch(/HttpOnly; SameSite=Strict/);
    const waiting = { state: "waiting", expires: started.body.expires };
    expect((await screen.call("GET", "/display/pairing")).body).toEqual(waiting);
    expect((await screen.call("GET", "/display")).status).toBe(401);

    const typed = ` ${started.body.code.slice(0, 4)}-${started.body.code.slice(4)} `.toLowerCase();
    const claimed = await owner.call("POST", `${api}/displays`, {
      code: typed,
      name: "Hall",
      boards: ["desk"],
    });
    expect(claimed).toMatchObject({ status: 201, body: { name: "Hall", status: "pairing" } });
    const paired = await screen.call("GET", "/display/pairing");
    expect(paired.body).toEqual({ state: "paired" });
    expect(paired.set.join()).toContain(DISPLAY_COOKIE);
    expect(paired.set.join()).toContain("HttpOnly; SameSite=Strict");
    const { body } = await screen.call("GET", "/display");
    expect(body).toMatchObject({ name: "Hall", boards: ["desk"], build: "the build" });
    const stored = await program.query("select * from watchfloor.display");
    const token = screen.cookies.get(DISPLAY_COOKIE) ?? "none";
    expect(JSON.stringify(stored.rows)).not.toContain(token);
  });

  it("a code works once, and a lost answer is repeated until the credential was used", async () => {
    const screen = new Screen();
    const code = await screen.code();
    const call = { code, name: "Once", boards: ["desk"] };
    expect((await owner.call("POST", `${api}/displays`, call)).status).toBe(201);
    expect((await owner.call("POST", `${api}/displays`, call)).body).toMatchObject({
      status: 404,
      field: "code",
    });
    const secret = screen.cookies.get(PAIRING_COOKIE) as string;
    for (let time = 0; time < 2; time += 1) {
      expect((await screen.call("GET", "/display/pairing")).body.state).toBe("paired");
    }
    expect((await screen.call("GET", "/display")).status).toBe(200);
    expect(screen.cookies.has(PAIRING_COOKIE)).toBe(false);
    const attacker = new Screen();
    attacker.cookies.set(PAIRING_COOKIE, secret);
    expect((await attacker.call("GET", "/display/pairing")).body.state).toBe("expired");
  });

  it("two tabs of one screen that fetch it at once have one and the same, in whatever order it arrives", async () => {
    const tab = new Screen();
    const { body } = await owner.call("POST", `${api}/displays`, {
      code: await tab.code(),
      name: "Two tabs",
      boards: ["desk"],
    });
    const other = new Screen();
    other.cookies.set(PAIRING_COOKIE, tab.cookies.get(PAIRING_COOKIE) as string);
    await Promise.all([tab, other].map((one) => one.call("GET", "/display/pairing")));
    for (const one of [tab, other, tab]) {
      expect((await one.call("GET", "/display")).body).toMatchObject({ id: body.id });
    }
  });

  it("notifies a tab whose code another tab of the browser has replaced", async () => {
    const screen = new Screen();
    const first = (await screen.call("POST", "/display/pairing")).body;
    expect((await screen.call("GET", "/display/pairing")).body.expires).toBe(first.expires);
    const second = (await screen.call("POST", "/display/pairing")).body;
    expect(second.expires).not.toBe(first.expires);
    expect((await screen.call("GET", "/display/pairing")).body.expires).toBe(second.expires);
  });

  it("a code that is older than ten minutes, or replaced by another, is invalid", async () => {
    const screen = new Screen();
    const first = await screen.code();
    const second = await screen.code();
    const claim = (code: string) =>
      owner.call("POST", `${api}/displays`, { code, name: "Late", boards: ["desk"] });
    expect((await claim(first)).status).toBe(404);
    await program.query(
      "update watchfloor.display_pairing set created_at = now() - interval '601 s'",
    );
    expect((await claim(second)).status).toBe(404);
    expect((await screen.call("GET", "/display/pairing")).body.state).toBe("expired");
    const names = (await owner.call("GET", `${api}/displays`)).body.items as { name: string }[];
    expect(names.map(({ name }) => name)).not.toContain("Late");
  });

  it("another screen may replace a display's screen, whose credential becomes invalid", async () => {
    const { screen, id } = await pairedScreen("Swapped");
    const other = new Screen();
    const repeated = await owner.call("POST", `${api}/displays/${id}/pair`, {
      code: await other.code(),
    });
    expect(repeated.status).toBe(200);
    expect((await screen.call("GET", "/display")).status).toBe(401);
    await other.call("GET", "/display/pairing");
    expect((await other.call("GET", "/display")).body).toMatchObject({ id, name: "Swapped" });
  });
});

describe("D2 a display's program and status", () => {
  it("follows what the operator changes, and its report shows", async () => {
    const { screen, id } = await pairedScreen("Desk");
    const before = await owner.call("GET", `${api}/displays/${id}`);
    expect(before.body).toMatchObject({ status: "offline", report: null, upToDate: null });
    await screen.call("POST", "/display/report", report);
    const after = await owner.call("GET", `${api}/displays/${id}`);
    expect(after.body).toMatchObject({ status: "online", report, upToDate: true });

    const dim = { from: "22:00", to: "06:00" };
    const zone = "Asia/Tokyo";
    const change = { showing: "queue", muted: true, dim, rotationSeconds: 10, zone };
    await owner.call("PATCH", `${api}/displays/${id}`, change);
    await owner.call("POST", `${api}/displays/${id}/identify`);
    await owner.call("POST", `${api}/displays/${id}/reload`);
    const { body } = await screen.call("POST", "/display/report", { ...report, lagMs: null });
    expect(body).toMatchObject(change);
    expect(Date.parse(body.identifyUntil)).toBeGreaterThan(Date.now());
    expect(Date.parse(body.reloadAskedAt)).toBeLessThanOrEqual(Date.parse(body.now) + 1_000);
    expect(await statusOf(id)).toBe("stale");
    await owner.call("PATCH", `${api}/displays/${id}`, { dim: null, zone: null, boards: ["desk"] });
    expect((await screen.call("GET", "/display")).body).toMatchObject({
      dim: null,
      zone: null,
      muted: true,
      // the wallboard that it was to show is none of its wallboards any more
      showing: null,
    });
    const listed = await owner.call("GET", `${api}/displays/${id}`);
    expect(listed.body).toMatchObject({ boards: ["desk"], showing: null });
  });

  it("is stale and then offline when it is not heard, and is reported once", async () => {
    const { screen, id } = await pairedScreen("Quiet");
    const silent = (seconds: number) =>
      program.query(`update watchfloor.display_report
        set seen_at = now() - interval '${seconds} s' where display_id = '${id}'`);
    const notified: string[] = [];
    await program.query("listen watchfloor_changed");
    program.on("notification", ({ payload }) => notified.push(payload ?? ""));
    await screen.call("POST", "/display/report", report);
    await silent(25);
    expect(await statusOf(id)).toBe("stale");
    await screen.call("POST", "/display/report", { ...report, lagMs: 60_000 });
    expect(await statusOf(id)).toBe("stale");
    await silent(40);
    expect(await statusOf(id)).toBe("offline");
    const watch = () => markDark(server.displays.db, server.displays.limits.DISPLAY_DARK_MS);
    await Promise.all([watch(), watch()]);
    await watch();
    await screen.call("POST", "/display/report", report);
    await expect
      .poll(() => notified.filter((one) => one === `displayHealth:${id}`))
      .toHaveLength(2);
    expect(await statusOf(id)).toBe("online");
  });

  it("is neither revoked nor removed if that can't be recorded", async () => {
    const { screen, id } = await pairedScreen("Unwritten");
    await program.query(`alter table watchfloor.security_event
      add constraint unwritten check (subject_name is distinct from 'Unwritten') not valid`);
    expect((await owner.call("POST", `${api}/displays/${id}/revoke`)).status).toBe(500);
    expect((await owner.call("DELETE", `${api}/displays/${id}`)).status).toBe(500);
    await program.query("alter table watchfloor.security_event drop constraint unwritten");
    expect((await screen.call("GET", "/display")).status).toBe(200);
  });

  it("a revoked display is disconnected at once, also by psql; a removed one does not exist", async () => {
    const { screen, id } = await pairedScreen("Revoked");
    expect((await screen.call("GET", "/display")).status).toBe(200);
    await owner.call("POST", `${api}/displays/${id}/revoke`);
    expect((await screen.call("GET", "/display")).status).toBe(401);
    expect(await statusOf(id)).toBe("revoked");
    const late = new Screen();
    const call = { code: await late.code(), name: "Revoked before it is used", boards: ["desk"] };
    const { body: unused } = await owner.call("POST", `${api}/displays`, call);
    await owner.call("POST", `${api}/displays/${unused.id}/revoke`);
    expect((await late.call("GET", "/display/pairing")).body.state).toBe("expired");
    const { screen: other, id: removed } = await pairedScreen("Removed");
    expect((await other.call("GET", "/display")).status).toBe(200);
    await program.query("delete from watchfloor.display where id = $1", [removed]);
    await expect.poll(async () => (await other.call("GET", "/display")).status).toBe(401);
    expect((await owner.call("DELETE", `${api}/displays/${id}`)).status).toBe(204);
    expect((await owner.call("GET", `${api}/displays/${id}`)).status).toBe(404);
  });
});

describe("D2 a screen that was paired", () => {
  it("can report no text that can't be stored, and not as another display", async () => {
    const { screen, id } = await pairedScreen("Odd");
    const { id: other } = await pairedScreen("Other");
    for (const odd of [{ board: "\ud800" }, { build: "a\0" }, { id: other }, { lagMs: 1e308 }]) {
      const { status } = await screen.call("POST", "/display/report", { ...report, ...odd });
      expect([odd, status]).toEqual([odd, 400]);
    }
    const { id: notified } = (await screen.call("POST", "/display/report", report)).body;
    expect(notified).toBe(id);
    expect((await owner.call("GET", `${api}/displays/${other}`)).body.report).toBeNull();
  });

  it("by several at once who saw its code is one display, of the first", async () => {
    const screen = new Screen();
    const call = { code: await screen.code(), name: "Claimed", boards: ["desk"] };
    const claims = [1, 2, 3, 4].map(() => owner.call("POST", `${api}/displays`, call));
    const statuses = (await Promise.all(claims)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 404, 404, 404]);
    const list = (await owner.call("GET", `${api}/displays`)).body.items as { name: string }[];
    expect(list.filter(({ name }) => name === "Claimed")).toHaveLength(1);
  });
});

describe("D1 pairing can't be flooded", () => {
  it("by codes from one network, or by guesses of one user", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        owner.call("POST", `${api}/displays`, {
          code: `AAAA22${String(n).padStart(2, "0")}`,
          name: "Guess",
          boards: ["desk"],
        }),
      ),
    );
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    const codes = [];
    for (let time = 0; time <= CODES_PER_ADDRESS; time += 1) {
      codes.push((await new Screen().call("POST", "/display/pairing")).status);
    }
    expect(codes).toContain(429);
  });
});
