import type { Table } from "../../../../shared/model/model.ts";
import { stateOf } from "../../../../shared/model/state-of.ts";
import type { Move } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";

/** A card in the hand, with the moves that its record may make. */
export interface Dragged {
  view: RecordView;
  moves: readonly Move[];
}

/** What a drop on a column would do. */
export type Drop =
  | { kind: "stay" }
  | { kind: "run"; moves: readonly Move[] }
  | { kind: "refused"; why: string };

/** Judges a drop before and when it happens: the column says by it whether it would take the card. */
export function dropOn({ view, moves }: Dragged, state: string, table: Table): Drop {
  const from = stateOf(table, view.values);
  if (from === state) return { kind: "stay" };
  const leading = moves.filter(({ transition }) => transition.to === state);
  if (leading.some(({ obstacle }) => obstacle === null)) return { kind: "run", moves: leading };
  const why = leading[0]?.obstacle?.message ?? `No move leads from ${from} to ${state}.`;
  return { kind: "refused", why };
}
