import type { DisplayReport } from "../../../../shared/protocol/displays.ts";

const BYTES_PER_MB = 1_048_576;

/** How the machine is doing, as far as a browser tells. */
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
