import { createClient } from "redis";

const TIMEOUT_MS = 3_000;

/** Whether Redis can be used as the bus, and who else uses it. Rejects with what Redis or the network says. */
export async function probeRedis(url: string): Promise<{ keys: number; channels: string[] }> {
  const client = createClient({
    url,
    socket: { connectTimeout: TIMEOUT_MS, reconnectStrategy: false },
  });
  // A failure is reported by the call that waits for it.
  client.on("error", () => {});
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer in time")), TIMEOUT_MS);
  try {
    const probing = client.connect().then(async () => ({
      keys: await client.dbSize(),
      channels: await client.pubSubChannels("watchfloor:*"),
    }));
    return await Promise.race([probing, late.promise]);
  } finally {
    clearTimeout(timer);
    if (client.isOpen) client.destroy();
  }
}
