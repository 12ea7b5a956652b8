import { Button } from "@mantine/core";
import { useState } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { restoreRecord } from "../../sync/calls/record-history.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { formatList } from "../../ui/numbers.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import classes from "./record.module.css";

interface Props {
  table: Table;
  record: RecordView;
}

/** Says that the record was deleted, and brings it back. */
export function DeletedBanner({ table, record, canRestore }: Props & { canRestore: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const restore = () => {
    setBusy(true);
    restoreRecord(table.name, record.id).then(
      () => toast(messages.recordRestored({ record: table.recordLabel })),
      (error: unknown) => {
        setBusy(false);
        toastProblem(error);
      },
    );
  };
  const author = record.markedBy;
  // The values of a record that is out of reach are not shown: what has some was deleted.
  const isKnown = Object.keys(record.values).length > 0;
  const text = isKnown ? messages.knownDeletedBy : messages.deletedBy;
  return (
    <div className={classes.banner} role="status">
      {author
        ? text({ record: table.recordLabel, author })
        : messages.deleted({ record: table.recordLabel })}
      {canRestore && (
        <Button size="compact-sm" variant="default" loading={isBusy} onClick={restore}>
          {messages.restoreRecord()}
        </Button>
      )}
    </div>
  );
}

/** The fields that a draft still needs, and a button to discard it. */
export function DraftBanner({ table, record }: Props) {
  const needed = neededFields(table, record.values).map(({ label }) => label);
  const discard = () => {
    const restore = pageCore().edits.discard(table.name, record.id);
    toast(messages.draftDiscarded(), restore);
  };
  return (
    <div className={classes.banner} role="status">
      {needed.length > 0
        ? messages.draftNeeds({ fields: formatList(needed), record: table.recordLabel })
        : messages.draftEmpty()}
      <Button size="compact-sm" variant="default" onClick={discard}>
        {messages.discardDraft()}
      </Button>
    </div>
  );
}

/** A refused edit that concerns the record as a whole. */
export function ProblemBanner({ record: { problem } }: Pick<Props, "record">) {
  if (!problem) return null;
  const { edits } = pageCore();
  return (
    <div className={classes.banner} data-tone="bad" role="status">
      {problem.message}
      <Button size="compact-sm" variant="default" onClick={() => edits.retry(problem.edit)}>
        {messages.tryAgain()}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => edits.drop(problem.edit)}>
        {messages.discard()}
      </Button>
    </div>
  );
}
