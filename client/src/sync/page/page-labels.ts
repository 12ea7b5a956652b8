import type { Model } from "../../../../shared/model/model.ts";
import { accountAtom } from "../../state/account.ts";
import { store } from "../../state/store.ts";
import { TargetLabels } from "../calls/target-labels.ts";

const none: Model = { version: 0, tables: [] };
let labels: TargetLabels | null = null;

/** The page's one cache of the labels of linked records and people. */
export function pageLabels(): TargetLabels {
  labels ??= new TargetLabels(() => {
    const account = store.get(accountAtom);
    return "desk" in account ? account.desk.model : none;
  });
  return labels;
}
