import { Button, Group } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ChangeSetInfo, ImportCounts } from "../../../../shared/protocol/change-sets.ts";
import { importMessages as messages } from "../../messages/en/import.ts";
import { useBusy } from "../../ui/use-action.ts";
import classes from "./change-sets.module.css";
import { downloadRejects } from "./download-rejects.ts";

interface Props {
  file: ImportCounts;
}

/** The outcomes of the rows of the file that a change set was made of; rejected rows can be downloaded. */
export function ImportSummary({ id, state, file }: Pick<ChangeSetInfo, "id" | "state"> & Props) {
  const { isBusy, run } = useBusy();
  const { isComplete, rows, created, updated, unchanged, superseded, failed } = file;
  const parts = [
    { count: created, text: messages.added },
    { count: updated, text: messages.changed },
    { count: unchanged, text: messages.unchanged },
    { count: superseded, text: messages.superseded },
    { count: failed, text: messages.rejected },
  ];
  const shown = parts.filter(({ count }) => count > 0).map(({ count, text }) => text({ count }));
  return (
    <Group
      component="section"
      className={classes.note ?? ""}
      gap="8px 16px"
      justify="space-between"
      aria-label={messages.result()}
    >
      <span>
        {!isComplete && (state === "cancelled" ? messages.interrupted() : messages.incomplete())}{" "}
        {(isComplete || rows > 0) && `${messages.rows({ count: rows })} ${shown.join(" · ")}`}
      </span>
      {failed > 0 && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={15} aria-hidden="true" />}
          loading={isBusy}
          onClick={() => void run(() => downloadRejects(id))}
        >
          {messages.download()}
        </Button>
      )}
    </Group>
  );
}
