import { Button } from "@mantine/core";
import { useState } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { shellMessages } from "../../messages/en/shell.ts";
import { richText } from "../../messages/rich-text.tsx";
import { connectionAtom, editsStoredAtom } from "../../state/connection-state.ts";
import type { RecordView } from "../../state/record-view.ts";
import { useAtom } from "../../state/use-atom.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Callout } from "../../ui/callout.tsx";
import { formatList } from "../../ui/numbers.ts";
import { toast } from "../../ui/toast.tsx";
import { useBusy } from "../../ui/use-action.ts";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import classes from "./record.module.css";

interface Props {
  table: Table;
  record: RecordView;
}

/** Says that the record was deleted, and brings it back. */
export function DeletedBanner({ table, record, canRestore }: Props & { canRestore: boolean }) {
  const { isBusy, run } = useBusy();
  const [isRestored, setRestored] = useState(false);
  const giveFocus = useGiveFocus();
  const restore = () =>
    run(async () => {
      const params = { table: table.name, id: record.id };
      await rest("POST /tables/{table}/records/{id}/restore", { params });
      setRestored(true);
      toast(messages.recordRestored({ record: table.recordLabel }));
    });
  const author = record.markedBy;
  // The values of a record that is out of reach are not shown: what has some was deleted.
  const isKnown = Object.keys(record.values).length > 0;
  const text = isKnown ? messages.knownDeletedBy : messages.deletedBy;
  return (
    <Callout ref={giveFocus} wrap="wrap" mx={16} mb={8} role="status">
      {author
        ? text({ record: table.recordLabel, author })
        : messages.deleted({ record: table.recordLabel })}
      {canRestore && (
        <Button
          size="compact-sm"
          variant="default"
          // Until the record has returned.
          loading={isBusy || isRestored}
          onClick={() => void restore()}
        >
          {messages.restoreRecord()}
        </Button>
      )}
    </Callout>
  );
}

/** The fields that a draft still needs, and a button to discard it. */
export function DraftBanner({ table, record, onDiscarded }: Props & { onDiscarded(): void }) {
  const giveFocus = useGiveFocus();
  const needed = neededFields(table, record.values).map(({ label }) => label);
  const discard = () => {
    const restore = pageCore().edits.discard(table.name, record.id);
    toast(messages.draftDiscarded(), restore);
    onDiscarded();
  };
  return (
    <Callout ref={giveFocus} wrap="wrap" mx={16} mb={8} role="status">
      {needed.length > 0
        ? messages.draftNeeds({ fields: formatList(needed), record: table.recordLabel })
        : messages.draftEmpty()}
      <Button size="compact-sm" variant="default" onClick={discard}>
        {messages.discardDraft()}
      </Button>
    </Callout>
  );
}

/** A refused edit that concerns the record as a whole. */
export function ProblemBanner({ record: { problem } }: Pick<Props, "record">) {
  const giveFocus = useGiveFocus();
  if (!problem) return null;
  const { edits } = pageCore();
  return (
    <Callout ref={giveFocus} wrap="wrap" mx={16} mb={8} bg="var(--wf-bad-soft)" role="status">
      {problem.message}
      <Button size="compact-sm" variant="default" onClick={() => edits.retry(problem.edit)}>
        {messages.tryAgain()}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => edits.drop(problem.edit)}>
        {messages.discard()}
      </Button>
    </Callout>
  );
}

/** Says that the page is offline, where the panel covers the bar that says so. */
export function OfflineNote() {
  const { kind } = useAtom(connectionAtom);
  const isStored = useAtom(editsStoredAtom);
  if (kind !== "offline" && kind !== "blocked") return null;
  const offline = isStored ? shellMessages.offlineBar : shellMessages.offlineBarNotStored;
  const text =
    kind === "blocked"
      ? shellMessages.blockedBar({ address: `${location.origin}/socket.io/` })
      : offline({ status: shellMessages.youAreOffline() });
  return (
    <Callout className={classes.offline} mx={16} mb={8} role="status">
      <span>{richText(text, { b: (part) => <strong>{part}</strong> })}</span>
    </Callout>
  );
}
