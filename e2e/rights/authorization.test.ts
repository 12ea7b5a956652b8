import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInRoles, type Grant } from "../../shared/policy/role.ts";
import { contract, type RouteName } from "../../shared/protocol/contract.ts";
import { administrativeRightsOf, type Route } from "../../shared/protocol/route.ts";
import { type ClientToServer, PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { allCallers, type Caller, callerNames, callerOfToken } from "./callers.ts";
import { restRows } from "./rest-rows.ts";
import type { Row } from "./row.ts";

const create = { op: "create", table: "incidents", values: { title: "x" } };

/** The same for the socket: a message without a row does not compile. A display is refused by default. */
const socketRows: Record<
  keyof ClientToServer,
  { message: () => object; expected: string; screen?: string }
> = {
  subscribe: { message: () => ({ table: "incidents" }), expected: "ok ok ok ok not_found" },
  unsubscribe: { message: () => ({ table: "incidents" }), expected: "ok ok ok ok ok" },
  query: { message: () => ({ table: "incidents" }), expected: "ok ok ok ok not_found" },
  presence: {
    message: () => ({ table: "incidents", mode: "viewing" }),
    expected: "ok ok ok ok not_found",
  },
  mutate: {
    message: () => ({ id: crypto.randomUUID(), ops: [create] }),
    expected: "ok ok ok forbidden not_found",
  },
  // a display may request its own wallboards; this is no wallboard of anybody's
  tiles: {
    message: () => ({ wallboard: "no-such-wallboard" }),
    expected: "not_found not_found not_found not_found not_found",
    screen: "not_found",
  },
  leaveTiles: { message: () => ({ wallboard: "home" }), expected: "ok ok ok ok ok", screen: "ok" },
};

describe("who may call what", () => {
  let installation: TestInstallation;
  let callers: Caller[];

  beforeAll(async () => {
    installation = await TestInstallation.openInProcess({
      environment: {
        SIGN_IN_FAILURES_PER_ACCOUNT: "100",
        PAIRING_CODES_PER_ADDRESS: "1000",
        WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
      },
    });
    callers = await allCallers(installation);
  });
  afterAll(() => installation[Symbol.asyncDispose]());

  it("has a row for every path and method of the API, and for no other", async () => {
    const answer = await fetch(`${installation.server.url}/api/v1/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
    const served = Object.entries(paths).flatMap(([path, of]) =>
      Object.keys(of).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const below = served.map((one) => one.replace(" /api/v1", " "));
    expect(Object.keys(restRows).sort()).toEqual(below.sort());
  });

  it.each(Object.keys(restRows) as RouteName[])(
    "%s is for those whom its contract names",
    (name) => {
      for (const caller of callerNames) {
        const status = expectedStatus(name, caller);
        expect(`${caller}: ${status}`).toMatch(statusByContract(contract[name], caller));
      }
    },
  );

  it("on the socket: each message by each built-in role; a foreign session and none stay out", async () => {
    for (const caller of callers) {
      const { socket, refusal } = await open(caller);
      const place = columnOf(caller.name);
      const refused = { foreign: "session_ended", none: "unauthenticated" };
      expect(refusal).toBe(refused[caller.name as keyof typeof refused] ?? "ok");
      if (refusal === "ok") {
        for (const [event, { message, expected, screen = "forbidden" }] of Object.entries(
          socketRows,
        )) {
          const answer = await socket.timeout(60_000).emitWithAck(event, message());
          const wanted = caller.name === "screen" ? screen : expected.split(" ")[place];
          const outcome = `${event} by ${caller.name}: ${codeOf(answer)}`;
          expect(outcome).toBe(`${event} by ${caller.name}: ${wanted}`);
        }
      }
      socket.disconnect();
    }
  });

  it("the credential of a display is not a user's, wherever it is sent", async () => {
    const screen = callers.find(({ name }) => name === "screen") as Caller;
    const owner = callers[0] as Caller;
    const { socket, refusal } = await open({ ...screen, name: "owner" });
    expect(refusal).toBe("session_ended");
    socket.disconnect();
    const { socket: other, refusal: otherRefusal } = await open({ ...owner, name: "screen" });
    expect(otherRefusal).toBe("session_ended");
    other.disconnect();
    for (const cookie of [
      "watchfloor_session",
      "watchfloor_display",
      "__Host-watchfloor_session",
    ]) {
      const headers = { cookie: `${cookie}=${screen.token}` };
      const answer = await fetch(`${installation.server.url}/api/v1/users`, { headers });
      expect(answer.status).toBe(401);
    }
  });

  it("lets no API token create tokens, change credentials, or change users and roles", () => {
    const isClosed = (name: RouteName) => !("tokens" in contract[name]);
    const secret = /^(POST|PUT|PATCH|DELETE) \/(tokens|me|users|roles)(\/|$)/;
    const names = Object.keys(contract) as RouteName[];
    expect(names.filter((name) => secret.test(name) && !isClosed(name))).toEqual([]);
    const pairing = ["POST /displays", "POST /displays/{id}/pair", "POST /displays/{id}/revoke"];
    expect((pairing as RouteName[]).every(isClosed)).toBe(true);
  });

  it.each(Object.entries(restRows) as [RouteName, Row][])("%s", async (name, { results, call }) => {
    const [method = "", path = ""] = name.split(" ");
    for (const caller of callers) {
      const own = (await call?.(installation)) ?? {};
      const { status, body } = await rest(caller, method, { path, ...own });
      expect(`${caller.name}: ${status}`).toBe(
        `${caller.name}: ${expectedStatus(name, caller.name)}`,
      );
      if (!results || status !== "200") continue;
      const result = results.of(JSON.parse(body) as never);
      expect(`${caller.name}: ${result}`).toBe(
        `${caller.name}: ${results.expected.split(" ")[columnOf(caller.name)]}`,
      );
    }
  });

  /** A socket with the caller's credential. */
  async function open({ name, token }: Caller) {
    const as = name === "screen" ? { as: "display" } : {};
    const auth = { protocol: PROTOCOL_VERSION, ...as, ...(token && { token }) };
    const options = { transports: ["websocket"], forceNew: true, reconnection: false, auth };
    const socket = io(installation.server.url, options);
    const refusal = await new Promise<string>((resolve) => {
      socket.once("connect", () => resolve("ok"));
      socket.once("connect_error", (error) => resolve((error as Error).message));
    });
    return { socket, refusal };
  }

  async function rest(caller: Caller, method: string, call: { path: string; body?: unknown }) {
    const { path, body } = call;
    const type = typeof body === "string" ? "text/csv" : "application/json";
    const answer = await fetch(`${installation.server.url}/api/v1${path}`, {
      method: method.toUpperCase(),
      redirect: "manual",
      headers: {
        ...(caller.token && { authorization: `Bearer ${caller.token}` }),
        ...(body === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined
        ? {}
        : { body: type === "text/csv" ? String(body) : JSON.stringify(body) }),
    });
    return { status: String(answer.status), body: await answer.text() };
  }
});

/** The place of a caller in the columns of a row: that of a token is its role's. */
function columnOf(caller: Caller["name"]): number {
  return callerNames.indexOf(callerOfToken[caller] ?? caller);
}

/** The status for a caller by its row: a token is refused where the contract does not let tokens in. */
function expectedStatus(name: RouteName, caller: Caller["name"]): string | undefined {
  const { expected, screen, ofToken }: Row = restRows[name];
  const columns = expected.split(" ");
  const { right, tokens }: Route = contract[name];
  if (caller in callerOfToken && right !== "none" && right !== "display" && !tokens) return "403";
  if (caller in callerOfToken && ofToken) return ofToken;
  return columns[columnOf(caller)] ?? screen ?? columns[callerNames.indexOf("foreign")];
}

/** The status that a caller gets by the required right of a route, if the call is otherwise valid. */
function statusByContract(route: Route, caller: Caller["name"]): RegExp {
  const { right, tokens } = route;
  if (right === "none") return /: ...$/;
  if (right === "display") return caller === "screen" ? /: 2..$/ : /: 401$/;
  if (caller in callerOfToken && !tokens) return /: 403$/;
  const roleId = callerOfToken[caller] ?? caller;
  const role = builtInRoles.find(({ id }) => id === roleId);
  if (!role) return /: 401$/;
  const rights = administrativeRightsOf(route);
  if (rights.length > 0) {
    const mayCall = rights.some((one) => role.rights.includes(one));
    return !mayCall || (route.ownerOnly && caller !== "owner") ? /: 403$/ : /: (2..|404|409)$/;
  }
  const [of, grant] = String(right).split(".");
  if (of !== "table") return /: (?!401)...$/;
  const granted = role.grants["*"] ?? {};
  if (!granted.read) return /: 404$/;
  return granted[grant as keyof Grant] ? /: 2..$/ : /: 403$/;
}

/** `ok`, or the code of the refusal: of the call, or of its only op. */
function codeOf(answer: {
  ok: boolean;
  error?: { code: string };
  results?: { ok: boolean; error?: { code: string } }[];
}): string {
  const outcome = answer.results?.[0] ?? answer;
  return outcome.ok ? "ok" : (outcome.error?.code ?? "");
}
