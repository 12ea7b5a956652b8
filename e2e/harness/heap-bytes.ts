import { once } from "node:events";

/** What a server has to be started with, so that its heap can be measured: an inspector on a port that is free. */
export const withInspector = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/**
 * The bytes that live on a server's heap, and in its buffers, once everything unreachable has been collected. Unlike the resident
 * size it does not depend on when the process last collected garbage, so a leak of a few bytes a call shows.
 *
 * @param output what the server has printed, the inspector's address among it
 */
export async function heapBytes(output: string): Promise<number> {
  const [address] = /ws:\/\/127\.0\.0\.1:\S+/.exec(output) ?? [];
  if (!address) throw new Error("The server was started without an inspector.");
  const inspector = new WebSocket(address);
  await once(inspector, "open");
  const call = async (id: number, method: string) => {
    inspector.send(JSON.stringify({ id, method }));
    for (;;) {
      const [{ data }] = (await once(inspector, "message")) as [MessageEvent];
      const answer = JSON.parse(String(data));
      if (answer.id === id) return answer.result;
    }
  };
  await call(1, "HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize = 0 } = await call(2, "Runtime.getHeapUsage");
  inspector.close();
  return usedSize + backingStorageSize;
}
