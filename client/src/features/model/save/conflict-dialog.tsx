import { Stack, Title } from "@mantine/core";
import { useMemo, useState } from "react";
import type { Choices } from "../../../../../shared/document/draft.ts";
import type { Conflict } from "../../../../../shared/document/merge.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { richText } from "../../../messages/rich-text.tsx";
import {
  ConflictDialog,
  ConflictList,
  type ConflictText,
} from "../../../ui/conflicts/conflicts.tsx";
import { formatMoment } from "../../../ui/numbers.ts";
import { toast } from "../../../ui/toast.tsx";
import { withIds } from "../document/edit-model.ts";
import { AuthorName } from "../draft/author-name.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { describeChanges, describeDifference, ModelLabels } from "../labels/describe-changes.ts";
import { ChangeList } from "../parts/change-list.tsx";

interface Props {
  newer: ModelDocument;
  onClose(): void;
}

/** The changes of both sides. For each conflict the user chooses a side. */
export function ModelConflictDialog({ newer, onClose }: Props) {
  const { base, draft, store } = useDraft();
  const theirs = useMemo(() => withIds(newer.document), [newer]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the versions that the store compares.
  const conflicts = useMemo(() => store.conflicts(), [base, draft, theirs, store]);
  const [choices, setChoices] = useState<Choices>({});
  const labels = new ModelLabels(draft, theirs, base);
  const rebaseMine = () => {
    store.rebase(choices);
    onClose();
    toast(messages.rebased({ version: newer.version }));
  };
  const takeTheirs = () => {
    const undo = store.takeTheirs();
    onClose();
    toast(messages.tookTheirs({ version: newer.version }), undo);
  };
  return (
    <ConflictDialog
      title={messages.conflictTitle()}
      size={760}
      mine={messages.keepMine()}
      theirs={messages.takeTheirs()}
      onMine={rebaseMine}
      onTheirs={takeTheirs}
      onClose={onClose}
    >
      <Stack gap={16}>
        <Stack component="section" gap={8}>
          <Title order={3}>
            {richText(messages.theirChanges({ time: formatMoment(newer.at) }), {
              user: () => <AuthorName by={newer.by} />,
            })}
          </Title>
          <ChangeList changes={describeChanges(base, theirs)} between={[base, theirs]} />
        </Stack>
        <Stack component="section" gap={8}>
          <Title order={3}>{messages.myChanges()}</Title>
          <ChangeList changes={describeChanges(base, draft)} between={[base, draft]} />
        </Stack>
        {conflicts.length > 0 && (
          <Stack component="section" gap={8}>
            <Title order={3}>{messages.bothChanged()}</Title>
            <ConflictList
              conflicts={conflicts}
              describe={(conflict) => describeConflict(conflict, labels)}
              choices={choices}
              onChoose={setChoices}
            />
          </Stack>
        )}
      </Stack>
    </ConflictDialog>
  );
}

function describeConflict(conflict: Conflict, labels: ModelLabels): ConflictText {
  const { path, base } = conflict;
  const mine = describeDifference({ path, from: base, to: conflict.mine }, labels);
  const theirs = describeDifference({ path, from: base, to: conflict.theirs }, labels);
  const subject = mine?.subject ?? theirs?.subject ?? messages.theModel();
  const property = mine?.detail?.property ?? theirs?.detail?.property;
  const describeChange = (change: typeof mine) => {
    if (change?.detail) return change.detail.after;
    return change?.kind === "removed" ? messages.removedValue() : messages.changedValue();
  };
  return {
    title: property ? messages.propertyOf({ subject, property }) : subject,
    before: mine?.detail?.before,
    mine: describeChange(mine),
    theirs: describeChange(theirs),
  };
}
