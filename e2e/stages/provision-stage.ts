import { provideChromium } from "../provision/chromium.ts";
import { redisProgram } from "../provision/redis.ts";
import { systemPostgresPrograms } from "../provision/system-postgres.ts";
import { sweepAbandoned } from "../provision/temp-folder.ts";
import type { Stage } from "./stage.ts";

/** Finds or installs, before anything else, what the later stages need, so that a lack is reported at once. */
export const provisionStage: Stage = {
  name: "provision",
  run: async (write) => {
    sweepAbandoned();
    let failed = 0;
    for (const provide of [redisProgram, systemPostgresPrograms, provideChromium]) {
      try {
        await provide();
      } catch (error) {
        failed += 1;
        write(`${(error as Error).message}\n`);
      }
    }
    return { passed: failed === 0 ? 1 : 0, failed };
  },
};
