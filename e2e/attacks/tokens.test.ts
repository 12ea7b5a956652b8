import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addToken, addUser, type TestUser } from "../harness/test-user.ts";
import { pairDisplay } from "../harness/wallboards.ts";

const RECORDS = "/tables/incidents/records?limit=1";

let installation: TestInstallation;
let ida: TestUser;
let token: { id: string; token: string };
beforeAll(async () => {
  installation = await TestInstallation.openInProcess();
  ida = await addUser(installation.server.url, installation.ownerUser, "Ida", "editor");
  token = await addToken(ida);
});
afterAll(() => installation[Symbol.asyncDispose]());

async function rest(path: string, headers: Record<string, string>, method = "GET") {
  const answer = await fetch(`${installation.server.url}/api/v1${path}`, { method, headers });
  const body = (await answer.json().catch(() => ({}))) as { code?: string };
  return { status: answer.status, code: body.code };
}
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

/** `ok`, or the code with which the handshake is refused. */
async function handshake(options: { auth?: object; query?: object; cookie?: string }) {
  const { auth = {}, query = {}, cookie } = options;
  const socket = io(installation.server.url, {
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
    auth: { protocol: PROTOCOL_VERSION, ...auth },
    query,
    ...(cookie && { extraHeaders: { cookie } }),
  });
  const outcome = await new Promise<string>((resolve) => {
    socket.once("connect", () => resolve("ok"));
    socket.once("connect_error", (error) => resolve(error.message));
  });
  socket.disconnect();
  return outcome;
}

describe("an API token", () => {
  it("is accepted as a bearer and in the handshake", async () => {
    expect((await rest(RECORDS, bearer(token.token))).status).toBe(200);
    expect(await handshake({ auth: { token: token.token } })).toBe("ok");
  });

  it.each(["watchfloor_session", "__Host-watchfloor_session", "watchfloor_display"])(
    "is ignored as the cookie %s",
    async (name) => {
      const cookie = `${name}=${token.token}`;
      expect(await rest(RECORDS, { cookie })).toEqual({ status: 401, code: "unauthenticated" });
      expect(await handshake({ cookie })).toBe("unauthenticated");
    },
  );

  it.each(["token", "access_token", "authorization"])(
    "is ignored in the address, where logs would hold it, as %s",
    async (name) => {
      const { code } = await rest(`${RECORDS}&${name}=${token.token}`, {});
      expect(code).toBe("unauthenticated");
      expect(await handshake({ query: { [name]: token.token } })).toBe("unauthenticated");
    },
  );

  it("is found by the hash of the whole token only", async () => {
    const { rows } = await installation.program.query<{ hash: string; prefix: string }>(
      "select hash, prefix from watchfloor.api_token where id = $1",
      [token.id],
    );
    const [stored] = rows;
    const swapped = token.token.replace(
      /^wf_(.)/,
      (_all, letter) => `wf_${letter === "A" ? "B" : "A"}`,
    );
    const wrong = [
      token.id,
      stored?.hash ?? "",
      stored?.prefix ?? "",
      token.token.slice(0, -1),
      token.token.slice(3),
      token.token.toUpperCase(),
      swapped,
      `${token.token}%00`,
      `wf_${"%".repeat(43)}`,
    ];
    for (const value of wrong) {
      expect(await rest(RECORDS, bearer(value))).toEqual({ status: 401, code: "session_ended" });
      expect(await handshake({ auth: { token: value } })).toBe("session_ended");
    }
  });

  it("is no display's credential, and a display's is no token", async () => {
    expect((await rest("/display", bearer(token.token))).status).toBe(401);
    expect(await handshake({ auth: { token: token.token, as: "display" } })).toBe("session_ended");
    const screen = await pairDisplay(installation.server.url, installation.ownerUser);
    expect((await rest(RECORDS, bearer(screen.token))).status).toBe(401);
  });

  it("does not become a session: signing out with it ends nothing, and sets no cookie", async () => {
    expect((await rest("/session", bearer(token.token), "DELETE")).status).toBe(204);
    expect((await rest(RECORDS, bearer(token.token))).status).toBe(200);
    expect((await rest("/me/sessions", bearer(ida.token))).status).toBe(200);
  });

  it("stays with its creator when the handshake names another user", async () => {
    const { id } = installation.ownerUser.info;
    expect(await handshake({ auth: { token: token.token, user: id } })).toBe("session_ended");
    expect(await handshake({ auth: { token: token.token, user: ida.info.id } })).toBe("ok");
  });

  it("does not widen by a role with more rights than its creator has", async () => {
    const wide = await addToken(ida, { role: "owner" });
    for (const path of ["/security-events", "/model/versions"]) {
      expect(await rest(path, bearer(wide.token))).toEqual({ status: 403, code: "forbidden" });
    }
    expect((await rest(RECORDS, bearer(wide.token))).status).toBe(200);
  });

  it("is refused from when its creator is disabled, also once they are enabled", async () => {
    const owner = installation.ownerUser;
    const path = `/users/${ida.info.id}`;
    await owner.call("PATCH", path, { status: "disabled" });
    expect((await rest(RECORDS, bearer(token.token))).code).toBe("session_ended");
    expect(await handshake({ auth: { token: token.token } })).toBe("session_ended");
    await owner.call("PATCH", path, { status: "active" });
    expect((await rest(RECORDS, bearer(token.token))).code).toBe("session_ended");
    expect(await handshake({ auth: { token: token.token } })).toBe("session_ended");
  });

  it("is never written to the log of the server", () => {
    expect(installation.server.output).not.toContain(token.token);
  });
});
