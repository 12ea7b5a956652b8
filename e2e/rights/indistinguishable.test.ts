import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type TestUser } from "../harness/test-user.ts";

/**
 * What may not be seen is answered like what is missing, in the same time. Time is measured in pairs, one
 * after the other in changing order, so that other load affects both alike. Two kinds of call differ if their
 * medians do, which no single outlier moves, and if one of them is slower in more of the pairs than chance
 * allows (a sign test). See docs/SECURITY.md.
 */

const PAIRS = 40;
/** Fewer, because each hashes a password twice; with fewer than 17 no difference would be significant. */
const SIGN_IN_PAIRS = 22;
const WARM_UP = 5;
/** A difference of medians within this part of the time, or this time, can't be measured over a network. */
const PART = 0.25;
const FLOOR_MS = 0.3;
/** Standard deviations of a fair coin: where both take the same time, beyond it once in 15,000 measurements. */
const BEYOND_CHANCE = 4;

let installation: TestInstallation;
let ida: TestUser;
let hidden: string;

beforeAll(async () => {
  installation = await TestInstallation.openInProcess();
  const read = { filter: { field: "title", op: "eq", value: "mine" }, hide: ["caller"] };
  const grants = { incidents: { read, update: true, delete: true, history: true } };
  const role = await installation.ownerUser.call<{ id: string }>("POST", "/roles", {
    name: "Narrow",
    grants,
  });
  ida = await addUser(installation.server.url, installation.ownerUser, "Ida", role.id);
  const values = { title: "not mine" };
  hidden = (
    await installation.ownerUser.call<{ id: string }>("POST", "/tables/incidents/records", {
      values,
    })
  ).id;
});
afterAll(() => installation[Symbol.asyncDispose]());

interface Answer {
  status: number;
  text: string;
  ms: number;
}

async function timedRequest(
  method: string,
  path: string,
  body?: unknown,
  { url, token } = { url: installation.server.url, token: ida.token },
): Promise<Answer> {
  const started = performance.now();
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, ms: performance.now() - started };
}

const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** The times of two kinds of call, made in pairs in changing order. */
async function timesOf(
  pairs: number,
  one: () => Promise<Answer>,
  two: () => Promise<Answer>,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let pair = -WARM_UP; pair < pairs; pair += 1) {
    const order = pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) {
      const { ms } = await (which === 0 ? one() : two());
      if (pair >= 0) times[which].push(ms);
    }
  }
  return times;
}

function expectSimilar([some, others]: [number[], number[]]): void {
  const [one, two] = [median(some), median(others)];
  const isFar = Math.abs(one - two) >= Math.max(FLOOR_MS, PART * Math.min(one, two));
  const slower = some.filter((ms, pair) => ms > (others[pair] as number)).length;
  const deviation = (2 * slower - some.length) / Math.sqrt(some.length);
  const summary = `medians ${one.toFixed(2)} and ${two.toFixed(2)} ms, slower ${slower} of ${some.length} times`;
  expect(isFar && Math.abs(deviation) > BEYOND_CHANCE, summary).toBe(false);
}

const missing = () => crypto.randomUUID();
const base = "/tables/incidents/records";
const calls: [string, (id: string) => Promise<Answer>][] = [
  ["read", (id) => timedRequest("GET", `${base}/${id}`)],
  ["its history", (id) => timedRequest("GET", `${base}/${id}/history`)],
  ["edit", (id) => timedRequest("PATCH", `${base}/${id}?overwrite=true`, { set: { notes: "x" } })],
  ["delete", (id) => timedRequest("DELETE", `${base}/${id}?overwrite=true`)],
];

describe("a record that may not be seen, and a missing one", () => {
  it.each(calls)("%s: same code, same text, same time", async (_, call) => {
    const [hiddenTimes, none] = [await call(hidden), await call(missing())];
    expect(hiddenTimes.status).toBe(404);
    expect(hiddenTimes.status).toBe(none.status);
    expect(hiddenTimes.text).toBe(none.text);
    expectSimilar(
      await timesOf(
        PAIRS,
        () => call(hidden),
        () => call(missing()),
      ),
    );
  });

  it("a table that may not be seen is like a missing table, and a hidden field like a missing field", async () => {
    const pairs = [
      ["/tables/people/records", "/tables/nothing/records"],
      [`${base}?sort=caller`, `${base}?sort=nothing`],
      [`${base}?fields=caller`, `${base}?fields=nothing`],
      [`/tables/incidents/summary?group=caller`, `/tables/incidents/summary?group=nothing`],
    ] as const;
    for (const [hiddenTimes, none] of pairs) {
      const [one, two] = [await timedRequest("GET", hiddenTimes), await timedRequest("GET", none)];
      expect(one.status).toBeGreaterThanOrEqual(400);
      expect(one.text.replaceAll("caller", "nothing")).toBe(two.text);
    }
  });
});

describe("signing in", () => {
  // With cheap hashes, a sign-in without one would not be faster than chance allows.
  it("answers a wrong password, an unknown email and a disabled account alike, in the same time at the cost of production", async () => {
    await using production = await TestInstallation.open({
      productionPasswords: true,
      environment: {
        SIGN_IN_FAILURES_PER_ACCOUNT: "1000",
        SIGN_IN_FAILURES_PER_ADDRESS: "10000",
      },
    });
    const { ownerUser, server } = production;
    const user = await addUser(server.url, ownerUser, "Ida", "viewer");
    const removedUser = await addUser(server.url, ownerUser, "Gone", "viewer");
    await ownerUser.call("PATCH", `/users/${removedUser.info.id}`, { status: "disabled" });
    const attemptSignIn = (email: string, password = "a wrong guess") => {
      const caller = { url: server.url, token: "" };
      return timedRequest("POST", "/session", { email, password }, caller);
    };
    const wrong = () => attemptSignIn(user.info.email);
    const unknown = () => attemptSignIn(`${missing()}@example.com`);
    const disabled = () => attemptSignIn(removedUser.info.email, "password of Gone");
    const answers = [await wrong(), await unknown(), await disabled()];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expectSimilar(await timesOf(SIGN_IN_PAIRS, wrong, unknown));
    expectSimilar(await timesOf(SIGN_IN_PAIRS, disabled, unknown));
  }, 180_000);
});
