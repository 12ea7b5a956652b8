import { defaultLimits } from "../../../../shared/limits.ts";
import type { Model } from "../../../../shared/model/model.ts";
import { accountAtom, type Desk } from "../../state/account.ts";
import { store } from "../../state/store.ts";
import { TargetLabels } from "../calls/target-labels.ts";

const none: Model = { version: 0, tables: [] };
let labels: TargetLabels | null = null;

/** The page's one cache of the labels of linked records and people. */
export function pageLabels(): TargetLabels {
  labels ??= new TargetLabels(
    () => knownDesk()?.model ?? none,
    () => (knownDesk()?.session.limits ?? defaultLimits).PAGE_MAX_RECORDS,
  );
  return labels;
}

function knownDesk(): Desk | null {
  const account = store.get(accountAtom);
  return "desk" in account ? account.desk : null;
}
