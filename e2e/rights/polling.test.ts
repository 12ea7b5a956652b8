import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";

let installation: TestInstallation;
let ida: TestUser;
beforeAll(async () => {
  installation = await TestInstallation.openInProcess();
  ida = await addUser(installation.server.url, installation.ownerUser, "Ida", "editor");
});
afterAll(() => installation[Symbol.asyncDispose]());

/** Opens a connection as a browser does whose network lets no WebSocket pass. */
async function open({ token }: TestUser): Promise<Socket> {
  const socket = io(installation.server.url, {
    transports: ["polling"],
    forceNew: true,
    extraHeaders: { cookie: `watchfloor_session=${token}`, "sec-fetch-site": "same-origin" },
    auth: { protocol: PROTOCOL_VERSION },
  });
  await new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(null));
    socket.once("connect_error", reject);
  });
  return socket;
}

const address = (id: string) =>
  `${installation.server.url}/socket.io/?EIO=4&transport=polling&sid=${id}`;

describe("a polling connection", () => {
  it("E2 is opened by a cookie from our own pages only", async () => {
    const socket = io(installation.server.url, {
      transports: ["polling"],
      forceNew: true,
      extraHeaders: { cookie: `watchfloor_session=${ida.token}`, "sec-fetch-site": "cross-site" },
      auth: { protocol: PROTOCOL_VERSION },
    });
    const refusal = await new Promise<Error & { data?: object }>((resolve) => {
      socket.once("connect_error", resolve);
    });
    expect(refusal.data).toMatchObject({ code: "forbidden" });
    socket.disconnect();
  });

  it("E5 is served to the credential that opened it only, though its id is in the address", async () => {
    const socket = await open(ida);
    const id = socket.io.engine.id ?? "";
    const status = async (cookie: string) => {
      const headers: Record<string, string> =
        cookie === "" ? {} : { cookie: `watchfloor_session=${cookie}` };
      const answer = await fetch(address(id), { method: "POST", headers, body: "2" });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await status("")).toBe(400);
    expect(await status(installation.ownerUser.token)).toBe(400);
    expect(socket.connected).toBe(true);
    expect(await status(ida.token)).toBe(200);
    socket.disconnect();
  });

  it("E5 may post little before it is authenticated", async () => {
    const begin = `${installation.server.url}/socket.io/?EIO=4&transport=polling`;
    const opened = await (await fetch(begin)).text();
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
    const post = async (body: string) =>
      (await fetch(address(sid), { method: "POST", body })).status;
    expect(await post("4".padEnd(17_000, "x"))).toBe(413);
    expect(await post('40{"protocol":1}')).toBe(200);
  });

  it("E6 is sent goodbye and closed when its session ends, and answers no poll afterwards", async () => {
    const socket = await open(ida);
    const id = socket.io.engine.id ?? "";
    const received: string[] = [];
    socket.onAny((event: string) => received.push(event));
    const closed = new Promise((resolve) => socket.once("disconnect", resolve));
    await ida.call("DELETE", "/session");
    await closed;
    expect(received.at(-1)).toBe("goodbye");
    // Its end may still be on the way, and nothing else.
    const cookie = `watchfloor_session=${ida.token}`;
    const late = await fetch(address(id), { headers: { cookie } });
    expect(await late.text()).not.toMatch(/^4/);
    expect((await fetch(address(id), { headers: { cookie } })).status).toBe(400);
  });
});
