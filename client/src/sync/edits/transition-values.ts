import { findTable, type Model, type Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { findTransition } from "../../../../shared/model/workflow.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";

/** What a transition will have done to the state once it is confirmed; nothing for any other op. */
export function transitionValues(model: Model, op: WireOp): Values {
  if (op.op !== "transition") return {};
  const table = findTable(model, op.table);
  const governed = table && governedBy(table);
  const transition = governed && findTransition(governed.workflow, op.transition);
  return transition ? { [governed.stateField]: transition.to } : {};
}
