import type { DisplayProgram } from "../../../../shared/protocol/displays.ts";

/** The display's name in large letters, on request from the console. */
export function IdentifyOverlay({ program, now }: { program: DisplayProgram; now: number }) {
  if (program.identifyUntil === null || Date.parse(program.identifyUntil) <= now) return null;
  const pixels = (side: number) => Math.round(side * devicePixelRatio);
  return (
    <div className="identify" role="alert">
      <b>{program.name}</b>
      <span>
        {pixels(innerWidth)} × {pixels(innerHeight)}
      </span>
    </div>
  );
}
