import type { Table } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { findTransition, transitionBetween } from "../../../../shared/model/workflow.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { pick } from "./pending-op.ts";

type TransitionOp = WireOp & { op: "transition" };

/** What the history says where the way back asks for a reason. */
const REASON = "Undone.";

/**
 * The move that takes a record back from where another one has brought it, with what was filled on the
 * way; null where the workflow has none. It is a transition like any other: rights, guard and what must
 * be filled are judged by the server.
 */
export function invertTransition(op: TransitionOp, table: Table | undefined): TransitionOp | null {
  const governed = table && governedBy(table);
  const original = governed && findTransition(governed.workflow, op.transition);
  const inverse = original && transitionBetween(governed.workflow, original.to, op.from);
  if (!original || !inverse) return null;
  // What the way back sets by itself can't be said otherwise.
  const isMine = (field: string) => !Object.hasOwn(inverse.sets ?? {}, field);
  return {
    op: "transition",
    table: op.table,
    record: op.record,
    transition: inverse.name,
    from: original.to,
    set: pick(op.base ?? {}, isMine),
    base: pick(op.set ?? {}, isMine),
    ...(inverse.reason && { reason: REASON }),
  };
}
