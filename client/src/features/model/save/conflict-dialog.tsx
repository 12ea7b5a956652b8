import { useMemo, useState } from "react";
import type { Conflict } from "../../../../../shared/document/merge.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model-plan.ts";
import { ConflictDialog } from "../../../ui/conflicts/conflict-dialog.tsx";
import { ConflictList, type ShownConflict } from "../../../ui/conflicts/conflict-list.tsx";
import { formatMoment } from "../../../ui/numbers.ts";
import { toast } from "../../../ui/toast.tsx";
import { withIds } from "../document/edit-model.ts";
import { type Choices, keyOfConflict, mergeModels } from "../document/merge-models.ts";
import { AuthorName } from "../draft/author-name.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { describeChanges, describeDifference, ModelLabels } from "../labels/describe-changes.ts";
import { ChangeList } from "../parts/change-list.tsx";
import classes from "./save.module.css";

interface Props {
  newer: ModelDocument;
  onClose(): void;
}

/** What they changed, what I changed, and what we both changed: each of those is chosen. */
export function ModelConflictDialog({ newer, onClose }: Props) {
  const { base, draft, store } = useDraft();
  const theirs = useMemo(() => withIds(newer.document), [newer]);
  const { conflicts } = useMemo(() => mergeModels(base, draft, theirs), [base, draft, theirs]);
  const [choices, setChoices] = useState<Choices>({});
  const labels = new ModelLabels(draft, theirs, base);
  const rebaseMine = () => {
    store.rebase(choices);
    onClose();
    toast(`Your changes now lie on top of version ${newer.version}. They are not published yet.`);
  };
  const takeTheirs = () => {
    store.takeTheirs();
    onClose();
    toast(`This is version ${newer.version}, without your changes.`, () => store.undo());
  };
  return (
    <ConflictDialog
      title="The model was changed by two people"
      size={760}
      mine="Put mine on top of theirs"
      theirs="Take theirs, without mine"
      onMine={rebaseMine}
      onTheirs={takeTheirs}
      onClose={onClose}
    >
      <div className={classes.both}>
        <section className={classes.side}>
          <h3 className={classes.sideTitle}>
            <AuthorName by={newer.by} /> changed, {formatMoment(newer.at)}
          </h3>
          <ChangeList changes={describeChanges(base, theirs)} between={[base, theirs]} />
        </section>
        <section className={classes.side}>
          <h3 className={classes.sideTitle}>Your unpublished changes</h3>
          <ChangeList changes={describeChanges(base, draft)} between={[base, draft]} />
        </section>
        {conflicts.length > 0 && (
          <section className={classes.side}>
            <h3 className={classes.sideTitle}>Both of you changed this</h3>
            <ConflictList
              conflicts={conflicts.map((conflict) => describeConflict(conflict, labels))}
              chosen={(key) => choices[key] ?? "mine"}
              onChoose={(key, side) => setChoices({ ...choices, [key]: side })}
            />
          </section>
        )}
      </div>
    </ConflictDialog>
  );
}

function describeConflict(conflict: Conflict, labels: ModelLabels): ShownConflict {
  const { path, base } = conflict;
  const mine = describeDifference({ path, from: base, to: conflict.mine }, labels);
  const theirs = describeDifference({ path, from: base, to: conflict.theirs }, labels);
  const subject = mine?.subject ?? theirs?.subject ?? "The model";
  const property = mine?.detail?.property ?? theirs?.detail?.property;
  const describeChange = (change: typeof mine) => {
    if (change?.detail) return change.detail.after;
    return change?.kind === "removed" ? "removed" : "changed";
  };
  return {
    key: keyOfConflict(conflict),
    title: property ? `${subject}: ${property}` : subject,
    before: mine?.detail?.before,
    mine: describeChange(mine),
    theirs: describeChange(theirs),
  };
}
