import type { Table } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { findTransition } from "../../../../shared/model/workflow.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { pick } from "./pending-op.ts";

type Move = WireOp & { op: "transition" };

/** What the history says where the way back asks for a reason. */
const REASON = "Undone.";

/**
 * The move that takes a record back from where another one has brought it, with what was filled on the
 * way; null where the workflow has none. It is a transition like any other: rights, guard and what must
 * be filled are judged by the server.
 */
export function wayBack(move: Move, table: Table | undefined): Move | null {
  const governed = table && governedBy(table);
  const made = governed && findTransition(governed.workflow, move.transition);
  const back =
    made &&
    governed.workflow.transitions.find(
      ({ from, to }) => from.includes(made.to) && to === move.from,
    );
  if (!made || !back) return null;
  // What the way back sets by itself can't be said otherwise.
  const isMine = (field: string) => !Object.hasOwn(back.sets ?? {}, field);
  return {
    op: "transition",
    table: move.table,
    record: move.record,
    transition: back.name,
    from: made.to,
    set: pick(move.base ?? {}, isMine),
    base: pick(move.set ?? {}, isMine),
    ...(back.reason && { reason: REASON }),
  };
}
