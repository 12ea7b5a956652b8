import type { DisplayReport } from "../../../../shared/protocol/displays.ts";

const BYTES_PER_MB = 1_048_576;

/** Measures the machine, as far as the browser allows. */
export function measureMachine(build: string): Omit<DisplayReport, "board" | "lagMs"> {
  const { memory } = performance as Performance & { memory?: { usedJSHeapSize: number } };
  return {
    build,
    width: Math.round(innerWidth * devicePixelRatio),
    height: Math.round(innerHeight * devicePixelRatio),
    pixelRatio: devicePixelRatio,
    memoryMb: memory ? Math.round(memory.usedJSHeapSize / BYTES_PER_MB) : null,
    uptimeSeconds: 0,
  };
}
