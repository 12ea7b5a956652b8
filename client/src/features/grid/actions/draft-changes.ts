import { defaultLimits } from "../../../../../shared/limits.ts";
import type { WireOp } from "../../../../../shared/protocol/mutate.ts";
import type { ClientOrigin } from "../../../../../shared/protocol/origin.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { changeSetAddress } from "../../../records/change-sets/change-set-address.ts";
import { knownAccountData } from "../../../state/known-account.ts";
import { splitOps } from "../../../sync/edits/split-ops.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { toastProblem, toastProgress } from "../../../ui/toast.tsx";
import type { GridController } from "../grid-controller.ts";

/** What the server takes in one request. */
export function editLimits() {
  return knownAccountData()?.session.limits ?? defaultLimits;
}

/**
 * Makes a draft of many edits and opens its preview. Nothing is changed until the user applies it there.
 */
export async function draftChanges(
  grid: GridController,
  ops: readonly WireOp[],
  { title, origin }: { title: string; origin: ClientOrigin },
): Promise<void> {
  const progress = toastProgress(messages.makingDraft({ count: ops.length }));
  let id: string | null = null;
  try {
    const [first = [], ...others] = splitOps(ops, editLimits());
    ({ id } = await rest("POST /change-sets", { body: { title, origin, ops: first } }));
    for (const add of others)
      await rest("PATCH /change-sets/{id}", { params: { id }, body: { add } });
    grid.actions.goTo(changeSetAddress(id));
  } catch (error) {
    // A draft of a part would look like all of it.
    if (id !== null) rest("DELETE /change-sets/{id}", { params: { id } }).catch(() => {});
    toastProblem(error);
  } finally {
    progress.close();
  }
}
