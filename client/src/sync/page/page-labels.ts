import { defaultLimits } from "../../../../shared/limits.ts";
import type { Model } from "../../../../shared/model/model.ts";
import { knownAccountData } from "../../state/known-account.ts";
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
