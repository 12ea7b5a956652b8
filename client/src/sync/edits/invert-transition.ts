import type { Table } from "../../../../shared/model/model.ts";
import { pickValues } from "../../../../shared/model/pick-values.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { findTransition, transitionBetween } from "../../../../shared/model/workflow.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";

type TransitionOp = WireOp & { op: "transition" };

/** What the history says where the way back asks for a reason. */
const REASON = "Undone.";

/**
 * The transition that reverses another one, with the values that it filled; null if the workflow has
 * none. It is a transition like any other: the server checks rights, guard and required fields.
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
    set: pickValues(op.base ?? {}, isMine),
    base: pickValues(op.set ?? {}, isMine),
    ...(inverse.reason && { reason: REASON }),
  };
}
