import { defaultLimits } from "../../../../shared/limits.ts";
import type { Model } from "../../../../shared/model/model.ts";
import { type AccountData, accountAtom } from "../../state/account.ts";
import { store } from "../../state/store.ts";
import { TargetLabels } from "../calls/target-labels.ts";

const emptyModel: Model = { version: 0, tables: [] };
let labels: TargetLabels | null = null;

/** The page's one cache of the labels of linked records and users. */
export function pageLabels(): TargetLabels {
  labels ??= new TargetLabels(
    () => knownAccountData()?.model ?? emptyModel,
    () => (knownAccountData()?.session.limits ?? defaultLimits).PAGE_MAX_RECORDS,
  );
  return labels;
}

function knownAccountData(): AccountData | null {
  const account = store.get(accountAtom);
  return "data" in account ? account.data : null;
}
