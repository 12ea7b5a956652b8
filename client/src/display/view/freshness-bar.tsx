import type { ShownWallboard } from "../../../../shared/protocol/frame.ts";
import type { Age } from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import { displayMessages as messages } from "../../messages/en/display.ts";
import { freshnessText } from "../../tiles/freshness-text.ts";

interface Props {
  program: DisplayProgram;
  wallboard: ShownWallboard | null;
  /** The ids of wallboards with an alert. */
  alerting: readonly string[];
  asOf: number | null;
  age: Age;
  isConnected: boolean;
  isBlocked: boolean;
  isDegraded: boolean;
}

/** How fresh the values are, as a text and a shape, always in the same place. */
export function FreshnessBar({
  program,
  wallboard,
  alerting,
  asOf,
  age,
  isConnected,
  isBlocked,
  isDegraded,
}: Props) {
  const isDegradedOnly = isDegraded && age.freshness === "live";
  const shown = isDegradedOnly ? "behind" : age.freshness;
  const freshness = freshnessText(age, asOf, isConnected, wallboard?.zone ?? "UTC");
  const isRotating = program.boards.length > 1 && program.showing === null;
  return (
    <footer
      className="freshness"
      data-fresh={shown}
      // Bright yellow, also on a light wall.
      data-theme={shown === "lost" ? "dark" : undefined}
    >
      <span className="freshness-name">{wallboard?.name ?? program.name}</span>
      {wallboard?.statesZone && (
        <span className="freshness-zone">{messages.zone({ zone: wallboard.zone })}</span>
      )}
      {isRotating && wallboard && (
        <RotationDots wallboards={program.boards} current={wallboard.id} alerting={alerting} />
      )}
      <span className="freshness-text" role="status">
        <Shape freshness={shown} />
        {isBlocked
          ? messages.blockedShort({ freshness })
          : isDegradedOnly
            ? messages.degraded({ freshness })
            : freshness}
      </span>
    </footer>
  );
}

interface DotsProps {
  wallboards: readonly string[];
  current: string;
  alerting: readonly string[];
}

function RotationDots({ wallboards, current, alerting }: DotsProps) {
  return (
    <span className="freshness-dots" aria-hidden="true">
      {wallboards.map((id) => (
        <i
          key={id}
          data-current={id === current || undefined}
          data-alert={alerting.includes(id) || undefined}
        />
      ))}
    </span>
  );
}

/** A disc, a half disc, a triangle: distinguishable without colour. */
function Shape({ freshness }: Pick<Age, "freshness">) {
  const path = {
    live: "M12 3a9 9 0 1 1 0 18a9 9 0 0 1 0-18Z",
    behind: "M12 3a9 9 0 1 1 0 18Z",
    lost: "M12 2 23 21H1Z",
  }[freshness];
  return (
    <svg className="freshness-shape" viewBox="0 0 24 24" aria-hidden="true">
      {freshness === "behind" && <circle cx="12" cy="12" r="8" />}
      <path d={path} />
    </svg>
  );
}
