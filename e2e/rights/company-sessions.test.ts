import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { CompanyBrowser } from "../harness/company/company-browser.ts";
import {
  type CompanyProvider,
  clientId,
  clientSecret,
  startCompanyProvider,
} from "../harness/company/company-provider.ts";
import { MachineLag } from "../harness/machine-lag.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { freePort } from "../provision/free-port.ts";

const WITHIN_MS = 1_000;
const groups = {
  claim: "groups",
  roles: [{ group: "desk", role: "editor" }],
  otherwise: "display",
};

let installation: TestInstallation;
let company: CompanyProvider;
let url: string;
beforeAll(async () => {
  url = `http://127.0.0.1:${await freePort()}`;
  company = await startCompanyProvider({ publicUrl: url, origin: url, ids: ["company"] });
  installation = await TestInstallation.openInProcess({
    environment: {
      ...{ PORT: new URL(url).port, PUBLIC_URL: url },
      WATCHFLOOR_OIDC_ISSUER: company.issuer,
      ...{ WATCHFLOOR_OIDC_CLIENT_ID: clientId, WATCHFLOOR_OIDC_CLIENT_SECRET: clientSecret },
    },
  });
  const options = {
    groups,
    createUsers: { role: "viewer" },
    scopes: ["openid", "email", "groups"],
  };
  await installation.ownerUser.call("PATCH", "/identity-providers/company", options);
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await company[Symbol.asyncDispose]();
});

async function enter(sub: string, mine = ["desk"]): Promise<CompanyBrowser> {
  company.signsIn = { sub, email: `${sub}@example.com`, email_verified: true, groups: mine };
  const browser = new CompanyBrowser(url, url);
  expect(await browser.signIn("company")).toBe("/");
  return browser;
}

async function open({ session }: CompanyBrowser): Promise<Socket> {
  const auth = { protocol: PROTOCOL_VERSION, token: session };
  const socket = io(url, { transports: ["websocket"], forceNew: true, auth });
  await new Promise((resolve, reject) => {
    socket.once("connect", () => resolve(null));
    socket.once("connect_error", reject);
  });
  return socket;
}

const subscribe = (socket: Socket) =>
  socket.timeout(30_000).emitWithAck("subscribe", { table: "incidents" });

it("takes what a lowered role may not read from open sockets, at the sign-in that lowers it", async () => {
  const browser = await enter("ada");
  const socket = await open(browser);
  expect(await subscribe(socket)).toMatchObject({ ok: true });
  const resync = new Promise<{ table: string }>((resolve) => socket.once("resync", resolve));
  const lag = new MachineLag();
  await enter("ada", []);
  const started = performance.now();
  expect((await resync).table).toBe("incidents");
  const took = performance.now() - started;
  expect(took).toBeLessThan(await lag.allowing(WITHIN_MS));
  expect(await subscribe(socket)).toMatchObject({ ok: false });
  expect((await browser.call("GET", "/session")).body.user.role).toBe("display");
  socket.close();
});

it("ends the session of a provider's order, and its sockets, within a second", async () => {
  const [here, there] = [await enter("bea"), await enter("bea")];
  const { rows } = await installation.program.query(
    "select provider_session as sid from watchfloor.session where subject = 'bea' order by created_at",
  );
  const order = (claims: object) => company.logoutToken({ ...claims }).then(send);
  const send = (logout_token: string) =>
    fetch(`${url}/sign-in/company/logout`, {
      method: "POST",
      headers: { origin: company.issuer, "sec-fetch-site": "cross-site" },
      body: new URLSearchParams({ logout_token }),
    });
  const closed = async (browser: CompanyBrowser, end: () => Promise<Response>) => {
    const socket = await open(browser);
    const goodbye = new Promise<{ reason: string }>((resolve) => socket.once("goodbye", resolve));
    const gone = new Promise((resolve) => socket.once("disconnect", resolve));
    const lag = new MachineLag();
    expect((await end()).status).toBe(200);
    const started = performance.now();
    expect((await goodbye).reason).toBe("signed_out");
    await gone;
    const took = performance.now() - started;
    expect(took).toBeLessThan(await lag.allowing(WITHIN_MS));
    expect((await browser.call("GET", "/session")).status).toBe(401);
  };
  await closed(here, () => order({ sid: rows[0].sid, sub: "bea" }));
  expect((await there.call("GET", "/session")).status).toBe(200);
  await closed(there, () => order({ sub: "bea" }));
});

it("is ended by the provider itself when its user signs out there", async () => {
  const browser = await enter("cat");
  const socket = await open(browser);
  const goodbye = new Promise<{ reason: string }>((resolve) => socket.once("goodbye", resolve));
  await browser.signOutAtProvider(company.issuer);
  expect((await goodbye).reason).toBe("signed_out");
});
