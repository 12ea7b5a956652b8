import { createClient } from "redis";
import { inTime } from "../../store/in-time.ts";

const TIMEOUT_MS = 3_000;

/** Whether Redis can be used as the bus, and who else uses it. Rejects with what Redis or the network says. */
export async function probeRedis(url: string): Promise<{ keys: number; channels: string[] }> {
  const client = createClient({
    url,
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // A failure is reported by the call that waits for it.
  client.on("error", () => {});
  try {
    const probing = client.connect().then(async () => ({
      keys: await client.dbSize(),
      channels: await client.pubSubChannels("watchfloor:*"),
    }));
    return await inTime(probing, TIMEOUT_MS, "no answer in time");
  } finally {
    if (client.isOpen) client.destroy();
  }
}
