import type { Alert, ShownWallboard, TileFrame } from "../../../../../shared/protocol/frame.ts";
import type { AcknowledgeCall } from "../../../../../shared/protocol/wallboards.ts";
import { groupLabel } from "../../../tiles/group-label.ts";

/** An alert that flashes or sounds on every screen until somebody has seen it. */
interface UnacknowledgedAlert {
  call: AcknowledgeCall;
  /** The tile, and the group where it is one of its lights. */
  where: string;
  alert: Alert;
}

/** The alerts of a wallboard that nobody has seen yet, longest first. */
export function unacknowledgedAlerts(
  wallboard: ShownWallboard,
  tiles: Readonly<Record<string, TileFrame>>,
): UnacknowledgedAlert[] {
  const found = wallboard.tiles.flatMap((tile) => {
    const { id, title } = tile;
    const { alert, rows = [] } = tiles[id] ?? {};
    const own = isUnacknowledged(alert)
      ? [{ call: { tile: id, word: alert.word }, where: title, alert }]
      : [];
    const lights = rows.flatMap(({ key, label, alert: light }) =>
      isUnacknowledged(light) && isPrimitiveKey(key)
        ? [
            {
              call: { tile: id, row: key, word: light.word },
              where: `${title}: ${groupLabel(tile, key, label)}`,
              alert: light,
            },
          ]
        : [],
    );
    return [...own, ...lights];
  });
  return found.sort((a, b) => Date.parse(a.alert.since) - Date.parse(b.alert.since));
}

function isUnacknowledged(alert: Alert | null | undefined): alert is Alert {
  return alert != null && (alert.flash || alert.sound) && alert.acknowledged === null;
}

/** The key of a group; a record's JSON can't be one. */
function isPrimitiveKey(key: unknown): key is string | number | boolean | null {
  return key === null || typeof key !== "object";
}
