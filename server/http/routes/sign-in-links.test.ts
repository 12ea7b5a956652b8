import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SESSION_COOKIE } from "../credential.ts";
import { apiClient, signedInClient } from "../testing/api-client.ts";
import { ownerCredentials, startTestServer, type TestServer } from "../testing/test-server.ts";

let server: TestServer;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
  id = await server.owner();
});
afterAll(() => server.close());

/** As a browser follows it, with its cookies. */
async function follow(token: string, headers: Record<string, string> = {}) {
  const path = `${server.origin}/api/v1/sign-in/${token}`;
  const answer = await fetch(path, { redirect: "manual", headers });
  const [line = ""] = answer.headers.getSetCookie();
  const at = answer.headers.get("location");
  return { status: answer.status, at, cookie: line.split(";")[0] ?? "" };
}

describe("a one-time sign-in link", () => {
  it("opens a session once, and leads to the sign-in screen after that", async () => {
    const token = server.auth.links.issue({ user: id, to: "/t/incidents" });
    const first = await follow(token);
    expect(first).toMatchObject({ status: 303, at: "/t/incidents" });
    expect(first.cookie).toMatch(new RegExp(`^${SESSION_COOKIE}=[\\w-]{43}$`));
    expect(await follow(token)).toEqual({ status: 303, at: "/login", cookie: "" });
  });

  it("ends the browser's former session, and leaves it open if the link is invalid", async () => {
    const former = (await follow(server.auth.links.issue({ user: id, to: "/" }))).cookie;
    const owner = await signedInClient(server.origin, ownerCredentials);
    const isAlive = async (cookie: string) =>
      (await apiClient(server.origin).call("GET", "/api/v1/session", undefined, { cookie })).status;
    expect(await follow("worthless", { cookie: former })).toMatchObject({ status: 303, at: "/" });
    expect(await isAlive(former)).toBe(200);
    const token = server.auth.links.issue({ user: id, to: "/" });
    const second = await follow(token, { cookie: former });
    expect(second).toMatchObject({ status: 303, at: "/" });
    expect([await isAlive(former), await isAlive(second.cookie)]).toEqual([401, 200]);
    expect((await owner.call("GET", "/api/v1/session")).status).toBe(200);
  });
});
