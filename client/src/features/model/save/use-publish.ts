import { useState } from "react";
import type { Model } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { useAction } from "../../../ui/use-action.ts";
import { withoutNewIds } from "../document/edit-model.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { errorText, isOutdated } from "./save-dialog.tsx";

/** How often others may publish between a plan and its publication. */
const ATTEMPTS = 3;

/**
 * Publishes the draft beside another screen. A plan that deletes nothing and holds nothing else of the draft is carried out at once: its
 * author has just said what it does. Any other one is shown first, in the dialog of the model builder.
 */
export function usePublish(onPublished: (published: Model) => void) {
  const { store, save, refresh } = useDraft();
  const [isReviewing, setReviewing] = useState(false);
  const action = useAction((error) =>
    error instanceof InConflict ? messages.sheetConflict() : errorText(error),
  );
  /** Joins what others have published, unless both changed the same. */
  const join = () => {
    if (store.state.newer === null) return;
    if (store.conflicts().length > 0) throw new InConflict();
    store.rebase({});
  };
  const attempt = async (isAlone: boolean) => {
    join();
    const { draft } = store.state;
    const body = withoutNewIds(draft);
    const plan = await rest("PUT /model", { query: { dryRun: "1" }, body });
    if (!isAlone || plan.lossy || plan.blocked) return setReviewing(true);
    if (plan.steps.length > 0) await save(false);
    onPublished(draft);
  };
  const publish = (isAlone: boolean) =>
    action.run(async () => {
      for (let left = ATTEMPTS; ; left--) {
        try {
          return await attempt(isAlone);
        } catch (error) {
          if (!isOutdated(error) || left === 1) throw error;
          await refresh();
        }
      }
    });
  return { ...action, publish, isReviewing, closeReview: () => setReviewing(false) };
}

class InConflict extends Error {}
