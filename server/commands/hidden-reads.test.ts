import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Identity } from "../auth/identity.ts";
import { addComment, mentionableUsers } from "../comments/comments.ts";
import { visibleComments } from "../comments/visible-comments.ts";
import {
  boss,
  buildScopedDesk,
  refusalOf,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "./testing/scoped-desk.ts";

/**
 * Whether a record is hidden or missing must not show in the time of an answer. Times are noisy; what the server asks of the
 * database is not. So its statements are compared, and how many bytes of values each returns.
 */
const query = pg.Client.prototype.query as (...call: unknown[]) => unknown;

interface Read {
  text: string;
  bytes: number;
}

let reads: Read[] = [];

// Replaced before a pool connects, which measures the statements of each connection by a wrapper of its own.
pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
  const [config] = call;
  const text = typeof config === "string" ? config : (config as { text?: string }).text;
  if (text === undefined) return query.apply(this, call);
  const read: Read = { text, bytes: 0 };
  reads.push(read);
  const note = (result?: { rows?: unknown[] }) => {
    read.bytes = JSON.stringify(result?.rows ?? []).length;
  };
  // A pool is answered by a callback, a connection by a promise.
  const last = call.at(-1);
  if (typeof last === "function") {
    const counted = (error: unknown, result: { rows: unknown[] }) => {
      note(result);
      last(error, result);
    };
    return query.apply(this, [...call.slice(0, -1), counted]);
  }
  const answer = query.apply(this, call);
  if (answer instanceof Promise) answer.then(note, () => undefined);
  return answer;
} as typeof pg.Client.prototype.query;

afterAll(() => {
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
});

async function readsOf(work: () => Promise<unknown>): Promise<Read[]> {
  reads = [];
  await refusalOf(work());
  return reads;
}

describe.each(databases)("a hidden record on $name", (kind) => {
  let desk: ScopedDesk;
  let hidden: string;
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
    hidden = await desk.createIncident("Blue");
    const large = "large ".repeat(5_000);
    for (let n = 0; n < 30; n += 1) await desk.overwrite(hidden, { notes: `${large}${n}` });
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  /** Comments as the server has them. */
  const comments = () => {
    const { reads } = desk.commands;
    const model = Object.assign(() => desk.model, {
      refresh: async () => {},
      refreshAfterFailure: async () => {},
      onChange: () => () => {},
    });
    return { database: reads.database, model, limits: defaultLimits, reads };
  };
  const calls: [string, (by: Identity, record: string) => Promise<unknown>][] = [
    ["is read", (by, record) => desk.commands.readRecord(by, table, record)],
    ["is read with its history", (by, record) => desk.commands.readHistory(by, table, record)],
    [
      "is listed with its changes",
      (by, record) => desk.commands.readActivity(by, { table, record }),
    ],
    ["shows its comments", (by, record) => visibleComments(comments(), by, { table, record })],
    ["is commented", (by, record) => addComment(comments(), by, { table, record, text: "Hello" })],
    [
      "names who can be mentioned",
      (by, record) => mentionableUsers(comments(), by, { table, record }),
    ],
  ];

  it.each(calls)("costs the same reads as a missing one when it %s", async (_, call) => {
    const missing = crypto.randomUUID().slice(0, hidden.length);
    expect(await refusalOf(call(rowsOfRed, hidden))).toEqual(
      await refusalOf(call(rowsOfRed, missing)),
    );
    const ofHidden = await readsOf(() => call(rowsOfRed, hidden));
    expect(ofHidden).toEqual(await readsOf(() => call(rowsOfRed, missing)));
    // It would be seen if more was read.
    expect(await readsOf(() => call(boss, hidden))).not.toEqual(ofHidden);
  });

  it("costs the same statements as a missing one when it is restored", async () => {
    const restore = (record: string) => () =>
      desk.commands.mutate(rowsOfRed, { ops: [{ op: "restore", table, record }] });
    const texts = async (record: string) =>
      (await readsOf(restore(record))).map(({ text }) => text);
    await texts(hidden);
    const ofHidden = await texts(hidden);
    expect(ofHidden.length).toBeGreaterThan(1);
    expect(ofHidden).toEqual(await texts(crypto.randomUUID()));
  });
});
