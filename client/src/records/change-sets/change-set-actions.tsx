import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import type { ChangeSetInfo } from "../../../../shared/protocol/change-sets.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { gridMessages } from "../../messages/en/grid.ts";
import { useModel } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { useBusy } from "../../ui/use-action.ts";
import type { OpenChangeSet } from "./use-change-set.ts";

interface Props {
  set: OpenChangeSet;
  /** Opens the draft of a revert. */
  onReverted(draft: ChangeSetInfo): void;
  onDeleted(): void;
}

/** What can be done with a change set in its present state: apply, stop, revert, cancel, delete. */
export function ChangeSetActions({ set, onReverted, onDeleted }: Props) {
  const { info, isOwn, isBusy } = set;
  const { isBusy: isReverting, run } = useBusy();
  if (!info) return null;
  const revert = async () =>
    onReverted(await rest("POST /change-sets/{id}/revert", { params: { id: info.id } }));
  const isAuthor = isOwn || info.isOutdated;
  const isRevertible = info.state !== "applying" && info.progress.applied > 0;
  return (
    <>
      {/* One's own draft is cancelled first: two ways to be rid of it would ask what the difference is. */}
      {isAuthor && isDeletable(info) && !(isOwn && set.isDraft) && (
        <AskingButton
          set={set}
          labels={[messages.delete(), messages.deleteTitle(), messages.deleteText()]}
          run={async () => {
            await rest("DELETE /change-sets/{id}", { params: { id: info.id } });
            onDeleted();
          }}
        />
      )}
      {isOwn && set.isDraft && (
        <>
          <AskingButton
            set={set}
            labels={[messages.cancel(), messages.cancelTitle(), messages.cancelText()]}
            run={set.cancel}
          />
          <ApplyButton set={set} />
        </>
      )}
      {isAuthor && info.state === "applying" && (
        <Button variant="default" disabled={isBusy} onClick={() => void set.cancel()}>
          {messages.stop()}
        </Button>
      )}
      {isRevertible && info.state !== "reverted" && (
        <Button variant="default" loading={isReverting} onClick={() => void run(revert)}>
          {messages.revertSet()}
        </Button>
      )}
    </>
  );
}

function isDeletable({ state, progress }: ChangeSetInfo): boolean {
  return progress.applied === 0 && (state === "draft" || state === "cancelled");
}

function ApplyButton({ set }: { set: OpenChangeSet }) {
  const [isAsking, setAsking] = useState(false);
  const { tables } = useModel();
  const counts = set.preview?.counts;
  if (!counts) return null;
  const count = counts.create + counts.update + counts.delete - set.skipped.size;
  const apply = () => {
    setAsking(false);
    void set.apply();
  };
  return (
    <>
      <Button
        loading={set.isBusy}
        disabled={count <= 0}
        onClick={() => (counts.error > 0 ? setAsking(true) : apply())}
      >
        {count > 0
          ? (additionText(set, tables, count) ?? messages.apply({ count }))
          : messages.nothingToApply()}
      </Button>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={messages.applyTitle({ count: counts.error })}
        size={460}
      >
        <Stack gap="md">
          <Text c="dimmed">{messages.applyText()}</Text>
          <Group justify="flex-end" gap="sm">
            <Button
              variant="default"
              data-autofocus
              onClick={() => {
                setAsking(false);
                set.show({ status: "error", offset: 0 });
              }}
            >
              {messages.showProblems()}
            </Button>
            <Button onClick={apply}>{messages.applyRest({ count })}</Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

/** What the button does, where it only adds records of one table: "Add 12 incidents". */
function additionText(
  { info, preview }: OpenChangeSet,
  tables: readonly Table[],
  count: number,
): string | null {
  const names = new Set(preview?.items.map(({ table }) => table));
  // Where a filter shows none of them.
  if (names.size === 0 && info?.import) names.add(info.import.table);
  const { create = 0, update = 0, delete: deleted = 0 } = preview?.counts ?? {};
  if (info?.origin === "revert" || create === 0 || update + deleted > 0 || names.size !== 1)
    return null;
  const [name] = names;
  const table = tables.find((one) => one.name === name);
  if (!table) return null;
  const { recordLabel: record, label } = table;
  const records = gridMessages.recordCount({ count, record, records: label.toLowerCase() });
  return messages.add({ records });
}

/** A button for what deletes changes that were not applied. Its labels are its text, and title and text of the question. */
function AskingButton(props: {
  set: OpenChangeSet;
  labels: readonly [string, string, string];
  run: () => Promise<void>;
}) {
  const [action, title, text] = props.labels;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        disabled={props.set.isBusy}
        onClick={() => setAsking(true)}
      >
        {action}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={title}
          text={text}
          action={action}
          cancel={messages.keep()}
          run={props.run}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
