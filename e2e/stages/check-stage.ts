import { runTool } from "./run-tool.ts";
import type { Stage } from "./stage.ts";

/** A stage that passes or fails as a whole: format, lint, types. */
export function checkStage(name: string, tool: "biome" | "tsc", args: readonly string[]): Stage {
  return {
    name,
    run: async (write) => {
      const code = await runTool(tool, args, write);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    },
  };
}
