// Covers: server/import server/commands
import { expect, it } from "vitest";
import { owner, ServerProcess } from "../../e2e/harness/server-process.ts";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import { isFullProof, proofSize } from "../../e2e/provision/proof-size.ts";
import { signInApi } from "../load/api-session.ts";
import { isFullLog, type LogRow, logName, readIncidentLog } from "./incident-log.ts";
import { makeLog } from "./made-log.ts";
import { replayTransitions } from "./replay-transitions.ts";

const ROWS = proofSize(600, 5_998);
const WRITERS = proofSize(5, 20);
const TIMEOUT_MS = 600_000;

/** Fewer kinds of state changes in a log would prove nothing about the workflow. */
const TRANSITIONS_MIN = 8;

/** The changes of state of the whole log, as the description of the data counts them. */
const counted = {
  "Resolved → Closed": 890,
  "Active → Resolved": 380,
  "New → Active": 321,
  "Awaiting User Info → Resolved": 246,
  "Active → Awaiting User Info": 228,
  "New → Resolved": 222,
  "New → Awaiting User Info": 80,
  "Awaiting User Info → Active": 69,
  "Awaiting Problem → Resolved": 22,
  "Active → Awaiting Problem": 19,
  "Resolved → Active": 11,
  "New → Awaiting Problem": 9,
  "Awaiting Problem → Active": 7,
  "Awaiting Problem → Awaiting User Info": 7,
  "Awaiting User Info → Awaiting Problem": 7,
  "Active → Awaiting Vendor": 2,
  "Awaiting Evidence → Resolved": 2,
};

async function run(log: readonly LogRow[]) {
  const database = await anyDatabase.create();
  await using server = await ServerProcess.start({ environment: { DATABASE_URL: database.url } });
  const api = await signInApi(server.url, owner);
  const result = await replayTransitions(log, api, {
    urls: [server.url],
    writers: WRITERS,
    speed: 0,
  });
  await server.kill("SIGTERM");
  await database.drop();
  return result;
}

it(
  "every change of state in the incident log is a transition of the service desk",
  async () => {
    if (!isFullLog) console.warn(`Replaying ${logName}.`);
    const log = (await readIncidentLog()).slice(0, ROWS);
    const { expected, applied, refused, otherRefusals } = await run(log);
    expect({ refused, otherRefusals }).toEqual({ refused: [], otherRefusals: [] });
    expect(Object.fromEntries(applied)).toEqual(Object.fromEntries(expected));
    expect([...applied.keys()].length).toBeGreaterThan(TRANSITIONS_MIN);
    if (!isFullProof || !isFullLog) return;
    expect(Object.fromEntries(applied)).toMatchObject(counted);
    const listed = Object.keys(counted);
    const others = [...applied].filter(([change]) => !listed.includes(change));
    expect(others.map(([, count]) => count)).toEqual([1, 1, 1, 1, 1]);
  },
  TIMEOUT_MS,
);

it(
  "a change of state that the workflow does not have is refused and reported with its reason",
  async () => {
    const { expected, applied, refused } = await run(makeLog(150));
    const total = (counts: Iterable<number>) => [...counts].reduce((sum, one) => sum + one, 0);
    const codes = new Set(refused.map(({ code }) => code));
    expect(total(applied.values()) + refused.length).toBe(total(expected.values()));
    expect([...codes].sort()).toEqual(["conflict", "transition_required"]);
    const impossible = refused.find(({ change }) => change === "New → Closed");
    expect(impossible?.message).toMatch(/^The state changes only by a transition/);
    expect([...applied.keys()].filter((change) => change.includes("without"))).toEqual([]);
  },
  TIMEOUT_MS,
);
