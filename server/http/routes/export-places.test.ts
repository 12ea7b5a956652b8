import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { FairQueue } from "../../load/budget.ts";
import type { Reply } from "../handlers.ts";
import { recordExportHandlers } from "./record-exports.ts";

/** Exports of one user, of whom one may export at a time, with a socket of each; `read` counts batches of about 80 bytes. */
function exportsOfOneUser({ batches = 3 } = {}) {
  const queue = new FairQueue({ parallel: 2, perUser: 1, waitingPerUser: 5 });
  const read: string[] = [];
  const handlers = recordExportHandlers({
    auth: { authenticate: async () => ({}), recordEvent: async () => {} },
    config: { limits: { EXPORT_FILE_MAX_BYTES: 1_000 } },
    commands: {
      exportRights: () => "the same",
      budget: { exports: queue },
      exportRecords: async function* (_: unknown, { search }: { search: string }) {
        for (let batch = 0; batch < batches; batch += 1) {
          read.push(search);
          yield { version: "1", fields: [], records: [{ id: search, values: {} }] };
        }
      },
    },
  } as never);
  const begin = async (search: string) => {
    const socket = { destroyed: false };
    const request = { headers: {}, socket };
    const identity = { subject: { id: "ida" } };
    const call = { identity, request, params: { table: "things" }, query: { search } };
    const reply = (await handlers["GET /tables/{table}/export.jsonl"](
      call as never,
    )) as unknown as Reply<unknown>;
    return { socket, chunks: reply.extras.file?.chunks as AsyncGenerator<Uint8Array> };
  };
  return { begin, read };
}

it("an export has its place until it is sent, so that nobody fills the disk by not reading", async () => {
  const { begin, read } = exportsOfOneUser();
  const [first, second] = [await begin("first"), await begin("second")];
  expect((await first.chunks.next()).done).toBe(false);
  const waiting = second.chunks.next();
  await until("the first is read", 30_000, async () => read.length >= 3);
  expect(read).toEqual(["first", "first", "first"]);
  await first.chunks.return(undefined);
  expect((await waiting).done).toBe(false);
  await second.chunks.return(undefined);
});

it("an export whose client has gone is read no further, and leaves its place", async () => {
  const { begin, read } = exportsOfOneUser();
  const [first, gone, last] = [await begin("first"), await begin("gone"), await begin("last")];
  await first.chunks.next();
  const waiting = gone.chunks.next();
  gone.socket.destroyed = true;
  await first.chunks.return(undefined);
  expect((await waiting).done).toBe(true);
  expect(read.filter((name) => name === "gone")).toHaveLength(1);
  expect((await last.chunks.next()).done).toBe(false);
  await last.chunks.return(undefined);
});

it("A4 an export that is larger than its file may be waits for its reader, and arrives whole", async () => {
  const { begin, read } = exportsOfOneUser({ batches: 1_000 });
  const { chunks } = await begin("large");
  const first = (await chunks.next()).value as Uint8Array;
  for (let n = 0; n < 500; n += 1) await turn();
  expect(read.length).toBeLessThan(100);
  let lines = String(first);
  for await (const chunk of chunks) lines += String(chunk);
  expect(lines.match(/"large"/g)).toHaveLength(1_000);
});
