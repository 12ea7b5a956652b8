import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownPath } from "../../server/auth/provider-sign-in.ts";
import { memberPassword, serveTests } from "../../server/http/testing/test-server.ts";
import { CompanyBrowser } from "../harness/company/company-browser.ts";
import {
  type Account,
  type CompanyProvider,
  clientId,
  clientSecret,
  startCompanyProvider,
} from "../harness/company/company-provider.ts";

const publicUrl = "http://desk.localhost";
const { server, owner, member } = await serveTests("empty", { PUBLIC_URL: publicUrl });
const { origin } = server;

let company: CompanyProvider;
/** Another provider, in the hands of an attacker. */
let evil: CompanyProvider;
beforeAll(async () => {
  const ids = ["company", "evil"];
  company = await startCompanyProvider({ publicUrl, origin, ids });
  evil = await startCompanyProvider({ publicUrl, origin, ids });
  for (const [id, { issuer }] of [
    ["company", company],
    ["evil", evil],
  ] as const) {
    const answer = await owner.call("POST", "/api/v1/identity-providers", {
      ...{ id, name: id, issuer, clientId, clientSecret },
      ...{ trustEmail: { domains: ["example.com"] }, createUsers: { role: "viewer" } },
    });
    expect(answer.status).toBe(201);
  }
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await evil[Symbol.asyncDispose]();
});

const account = (sub: string, more: object = {}): Account => ({
  ...{ sub, email: `${sub}@example.com`, email_verified: true },
  ...more,
});
const newBrowser = () => new CompanyBrowser(origin, publicUrl);

/** A browser that has signed in at a provider and is about to come back: its address. */
async function aboutToComeBack(sub: string, id = "company") {
  (id === "evil" ? evil : company).signsIn = account(sub);
  const browser = newBrowser();
  return { browser, address: await browser.atProvider(await browser.begin(id)) };
}

/** Who is signed in. */
const whoIn = async (browser: CompanyBrowser) =>
  (await browser.call("GET", "/session")).body.user?.email ?? null;

describe("a code of the attacker", () => {
  it("in an address that is opened in another browser signs nobody in there", async () => {
    const { address } = await aboutToComeBack("mallory");
    const victim = newBrowser();
    expect(await victim.comeBack(address)).toBe("/sign-in-failed");
    await victim.begin("company");
    expect(await victim.comeBack(address)).toBe("/sign-in-failed");
    expect(await whoIn(victim)).toBeNull();
  });

  it("in place of the victim's own code is refused: it belongs to another verifier", async () => {
    const mallory = await aboutToComeBack("mallory");
    const victim = await aboutToComeBack("victim");
    const address = new URL(victim.address);
    const code = new URL(mallory.address).searchParams.get("code") ?? "";
    address.searchParams.set("code", code);
    expect(await victim.browser.comeBack(address.href)).toBe("/sign-in-failed");
    expect(await whoIn(victim.browser)).toBeNull();
  });

  it("is used once", async () => {
    const { browser, address } = await aboutToComeBack("ann");
    expect(await browser.comeBack(address)).toBe("/");
    expect(await whoIn(browser)).toBe("ann@example.com");
    await browser.call("DELETE", "/session");
    expect(await browser.comeBack(address)).toBe("/sign-in-failed");
    const state = new URL(await browser.begin("company")).searchParams.get("state") ?? "";
    const replayed = new URL(address);
    replayed.searchParams.set("state", state);
    expect(await browser.comeBack(replayed.href)).toBe("/sign-in-failed");
    expect(await whoIn(browser)).toBeNull();
  });
});

describe("an answer of one provider for another", () => {
  it("is refused where it comes back by the other's address", async () => {
    const { browser, address } = await aboutToComeBack("ben");
    const mixed = address.replace("/sign-in/company/", "/sign-in/evil/");
    expect(await browser.comeBack(mixed)).toBe("/sign-in-failed");
    expect(await whoIn(browser)).toBeNull();
  });

  it("is refused where it names another issuer, and before its code is sent anywhere", async () => {
    const { browser, address } = await aboutToComeBack("cleo");
    const mixed = new URL(address);
    expect(mixed.searchParams.get("iss")).toBe(company.issuer);
    mixed.searchParams.set("iss", evil.issuer);
    expect(await browser.comeBack(mixed.href)).toBe("/sign-in-failed");
    expect(await browser.problem()).toContain("OAUTH");
    const without = await aboutToComeBack("cleo");
    const unnamed = new URL(without.address);
    unnamed.searchParams.delete("iss");
    expect(await without.browser.comeBack(unnamed.href)).toBe("/sign-in-failed");
  });

  it("is another account, though it has the same subject and email", async () => {
    const first = await aboutToComeBack("dora");
    await first.browser.comeBack(first.address);
    expect(await whoIn(first.browser)).toBe("dora@example.com");
    const { browser, address } = await aboutToComeBack("dora", "evil");
    expect(await browser.comeBack(address)).toBe("/sign-in-failed");
    expect(await browser.problem()).toBe("taken");
  });
});

describe("the page to come back to", () => {
  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/%09/evil.example/..//evil.example",
    "/..//evil.example",
    "/./\\evil.example",
    "javascript:alert(1)",
    "/\r\nset-cookie: a=b",
    "http:evil.example",
    "@evil.example",
    " //evil.example",
  ])("is on this server, also for %j", async (returnTo) => {
    const path = ownPath(returnTo);
    expect(new URL(path, "https://desk.example").origin).toBe("https://desk.example");
    expect(path).toMatch(/^\/(?![/\\])/);
    expect(path).not.toMatch(/[\\\r\n\t]/);
  });

  it("is remembered through the visit only where it is one", async () => {
    company.signsIn = account("eve");
    expect(await newBrowser().signIn("company", "//evil.example")).toBe("/");
    expect(await newBrowser().signIn("company", "/tables/a?b=c#d")).toBe("/tables/a?b=c#d");
  });
});

describe("an email", () => {
  const invite = async (role: string, email: string) =>
    owner.call("POST", "/api/v1/users", { email, name: "Invited", role });

  it("that the provider says is not verified takes no invitation, at a trusted domain neither", async () => {
    await invite("viewer", "fay@example.com");
    company.signsIn = account("fay", { email_verified: false });
    const browser = newBrowser();
    await browser.signIn("company");
    expect(await browser.problem()).toBe("unverified");
    company.signsIn = account("fay2", { email: "FAY@EXAMPLE.COM", email_verified: "false" });
    await browser.signIn("company");
    expect(await whoIn(browser)).toBeNull();
  });

  it("that is another in lower case only takes no invitation", async () => {
    await invite("editor", "kim@example.com");
    // The sign of the kelvin is a letter of its own, with the small k of ASCII.
    company.signsIn = account("kelvin", { email: "\u212aim@example.com" });
    const browser = newBrowser();
    await browser.signIn("company");
    expect(await browser.problem()).toBe("unverified");
    expect(await whoIn(browser)).toBeNull();
  });

  it.each(["owner", "admin"])(
    "of an invited %s at a trusted domain makes nobody one",
    async (role) => {
      await invite(role, `${role}-to-be@example.com`);
      company.signsIn = account(`${role}-to-be`, { email_verified: undefined });
      const browser = newBrowser();
      await browser.signIn("company");
      expect(await browser.problem()).toBe("invitation");
      expect(await whoIn(browser)).toBeNull();
    },
  );
});

describe("the link of an invitation", () => {
  it("in the hands of another company account makes nobody its user, and stays for them", async () => {
    const invited = { email: "kay@example.com", name: "Kay", role: "admin" };
    const { body } = await owner.call("POST", "/api/v1/users", invited);
    const token = new URL(String(body.invitation)).hash.slice(1);
    const begin = async (browser: CompanyBrowser) =>
      (await browser.call("POST", `/invitations/${token}/sign-in`, { provider: "company" })).body
        .location;
    const mallory = newBrowser();
    company.signsIn = account("mallory-k");
    await mallory.goOn(await begin(mallory));
    const session = async (browser: CompanyBrowser) =>
      (await browser.call("GET", "/session")).body.user;
    expect(await session(mallory)).toMatchObject({
      email: "mallory-k@example.com",
      role: "viewer",
    });
    // One who names the email without having it, neither.
    const liar = newBrowser();
    company.signsIn = account("liar", { email: invited.email, email_verified: false });
    await liar.goOn(await begin(liar));
    expect(await whoIn(liar)).toBeNull();
    const kay = newBrowser();
    company.signsIn = account("kay");
    await kay.goOn(await begin(kay));
    expect(await session(kay)).toMatchObject({ email: invited.email, role: "admin" });
  });
});

describe("what a provider says of itself", () => {
  let serve: (request: IncomingMessage, response: ServerResponse) => void;
  const seen: string[] = [];
  const hostile = createServer((request, response) => {
    seen.push(request.url ?? "");
    serve(request, response);
  });
  let issuer: string;
  beforeAll(async () => {
    await new Promise<void>((done) => hostile.listen(0, "127.0.0.1", done));
    issuer = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => hostile.close(done)));
  const connect = (id: string, own = issuer) =>
    owner.call("POST", "/api/v1/identity-providers", {
      ...{ id, name: id, issuer: own, clientId, clientSecret },
    });
  const asJson = (response: ServerResponse, body: object) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  };
  const complete = () => ({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  });
  const path = "/.well-known/openid-configuration";

  it("is read from there, and from no address that it leads to, nor shown", async () => {
    serve = ({ url }, response) => {
      if (url === "/internal") return asJson(response, { ...complete(), secret: "of the network" });
      response.writeHead(302, { location: `${issuer}/internal` }).end("of the network");
    };
    const answer = await connect("led");
    expect(answer.body).toMatchObject({ status: 422, fields: { issuer: { rule: "discovery" } } });
    expect(JSON.stringify(answer.body)).not.toContain("of the network");
    expect(seen.splice(0)).toEqual([path]);
  });

  it("is refused where it is endless, of another, or signed by a secret alone", async () => {
    serve = (_request, response) => {
      response.setHeader("content-type", "application/json");
      const more = () => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    };
    expect((await connect("endless")).status).toBe(422);
    serve = (_request, response) => asJson(response, { ...complete(), issuer: company.issuer });
    const other = await connect("other");
    expect(other.status).toBe(422);
    expect(JSON.stringify(other.body)).toContain(`The provider calls itself ${company.issuer}.`);
    serve = (_request, response) =>
      asJson(response, { ...complete(), id_token_signing_alg_values_supported: ["HS256"] });
    const unsigned = await connect("unsigned");
    expect(unsigned.status).toBe(422);
    expect(JSON.stringify(unsigned.body)).toContain("by its secret (HS256)");
    seen.splice(0);
  });

  it.each([
    ["/o/desk", "/o/desk/"],
    ["/o/desk/", "/o/desk"],
  ])("is its issuer to the letter, where %s was entered for %s", async (entered, own) => {
    serve = (_request, response) => asJson(response, { ...complete(), issuer: issuer + own });
    const answer = await connect(`slash-${own.length}`, issuer + entered);
    expect(answer).toMatchObject({ status: 201, body: { issuer: issuer + own } });
    const next = new URL(await newBrowser().begin(`slash-${own.length}`));
    expect(next.origin).toBe(issuer);
    seen.splice(0);
  });

  it.each([
    ["authorization_endpoint", "http://metadata.example/latest"],
    ["authorization_endpoint", "javascript:alert(1)"],
    ["authorization_endpoint", "//evil.example"],
    ["token_endpoint", "http://10.0.0.1/token"],
    ["token_endpoint", "file:///etc/passwd"],
    ["jwks_uri", "http://169.254.169.254/latest/meta-data"],
  ])("sends no browser and no secret elsewhere by its %s %s", async (name, address) => {
    serve = ({ url }, response) =>
      url === path ? asJson(response, { ...complete(), [name]: address }) : response.end("{}");
    const id = `h-${name.slice(0, 4)}-${address.length}`;
    const { status } = await connect(id);
    expect([201, 422]).toContain(status);
    const browser = newBrowser();
    const location = status === 201 ? await browser.begin(id) : "";
    expect(location === "" || location === "/sign-in-failed" || location.startsWith(issuer)).toBe(
      true,
    );
    if (!location.startsWith(issuer)) return;
    const state = new URL(location).searchParams.get("state") ?? "";
    const back = `${publicUrl}/sign-in/${id}/callback?code=1&state=${state}`;
    expect(await browser.comeBack(back)).toBe("/sign-in-failed");
    expect(await whoIn(browser)).toBeNull();
  });
});

describe("linking", () => {
  const link = (browser: CompanyBrowser) => {
    const body = { provider: "company", password: memberPassword };
    return browser.call("POST", "/me/linked-accounts", body);
  };
  const signedIn = async () => {
    const { credentials } = await member("editor");
    const browser = newBrowser();
    await browser.call("POST", "/session", credentials);
    return browser;
  };
  const linked = async (browser: CompanyBrowser) =>
    (await browser.call("GET", "/me/linked-accounts")).body.items.length;

  it("is begun by no other site, and by no address", async () => {
    const victim = await signedIn();
    const answer = await fetch(`${origin}/api/v1/me/linked-accounts`, {
      method: "POST",
      headers: {
        ...{ cookie: `watchfloor_session=${victim.session}`, origin: "https://evil.example" },
        ...{ "content-type": "application/json", "sec-fetch-site": "cross-site" },
      },
      body: JSON.stringify({ provider: "company", password: memberPassword }),
    });
    expect(answer.status).toBe(403);
    company.signsIn = account("gil");
    const address = `${origin}/sign-in/company?purpose=link&link=1&sentOn=1`;
    await victim.goOn((await victim.get(address)).location);
    expect(await whoIn(victim)).toBe("gil@example.com");
  });

  it("that an attacker has begun links nothing in the browser of a victim, nor after they sign out", async () => {
    const mallory = await signedIn();
    const { body } = await link(mallory);
    company.signsIn = account("hal");
    const victim = newBrowser();
    const address = await victim.atProvider(body.location);
    expect(await victim.comeBack(address)).toBe("/sign-in-failed");
    expect(await linked(mallory)).toBe(0);

    const { body: again } = await link(mallory);
    await mallory.call("DELETE", "/session");
    expect(await mallory.goOn(again.location)).toBe("/sign-in-failed");
    expect(await mallory.problem()).toBe("session_ended");
  });
});

describe("an order to sign out", () => {
  const send = async (logout_token: string, id = "company") => {
    const body = new URLSearchParams({ logout_token });
    return (await fetch(`${origin}/sign-in/${id}/logout`, { method: "POST", body })).status;
  };
  const enter = async (sub: string) => {
    const { browser, address } = await aboutToComeBack(sub);
    await browser.comeBack(address);
    return browser;
  };

  it("is obeyed once", async () => {
    await enter("ian");
    const token = await company.logoutToken({ sub: "ian" });
    expect(await send(token)).toBe(200);
    const later = await enter("ian");
    expect(await send(token)).toBe(400);
    expect(await whoIn(later)).toBe("ian@example.com");
  });

  it("of a named session ends those to which the provider gave no name, of its subject alone", async () => {
    company.forge = { claims: ({ sid: _sid, ...claims }) => claims };
    const [nameless, other] = [await enter("kim"), await enter("leo")];
    company.forge = null;
    const named = await enter("kim");
    expect(await send(await company.logoutToken({ sub: "kim", sid: "of the first" }))).toBe(200);
    expect(await whoIn(nameless)).toBeNull();
    expect(await whoIn(named)).toBe("kim@example.com");
    expect(await whoIn(other)).toBe("leo@example.com");
  });

  it("is obeyed only as the provider signs one, for this client, just now", async () => {
    const browser = await enter("joy");
    const now = Math.floor(Date.now() / 1_000);
    const sub = { sub: "joy" };
    const unsigned = (await company.logoutToken(sub)).split(".");
    const none = Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString("base64url");
    for (const token of [
      await company.logoutToken(sub, {}, "foreign"),
      await company.logoutToken({ ...sub, aud: "another" }),
      await company.logoutToken({ ...sub, aud: ["another", "watchfloor-test"] }),
      await company.logoutToken({ sid: "of nobody", aud: undefined }),
      await company.logoutToken({ ...sub, iss: evil.issuer }),
      await company.logoutToken({ ...sub, nonce: "of a sign-in" }),
      await company.logoutToken({ ...sub, events: {} }),
      await company.logoutToken({ ...sub, events: undefined }),
      await company.logoutToken({ ...sub, iat: now - 3_600 }),
      await company.logoutToken({ ...sub, exp: now - 300 }),
      await company.logoutToken({ ...sub, jti: undefined }),
      await company.logoutToken({}),
      await company.logoutToken(sub, { typ: "at+jwt" }),
      `${none}.${unsigned[1]}.`,
      "no.token.atall",
      "",
    ]) {
      expect(await send(token), token).toBe(400);
    }
    expect(await send(await evil.logoutToken(sub), "evil")).toBe(200);
    expect(await send(await evil.logoutToken(sub))).toBe(400);
    expect(await whoIn(browser)).toBe("joy@example.com");
  });
});
