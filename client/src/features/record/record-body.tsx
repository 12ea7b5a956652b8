import { Button, Tabs } from "@mantine/core";
import type { Table } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { RecordView } from "../../state/record-view.ts";
import { restoreRecord } from "../../sync/calls/record-history.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { toast, toastFailure } from "../../ui/toast.tsx";
import { HistoryList } from "./history-list.tsx";
import classes from "./record.module.css";
import { RecordField } from "./record-field.tsx";
import { RecordTransitions } from "./record-transitions.tsx";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
}

/** The record itself: its fields as a form, and what happened to it. */
export function RecordBody({ table, abilities, record }: Props) {
  const state = governedBy(table)?.stateField;
  const fields = table.fields.filter(
    ({ name }) => abilities.fields.includes(name) && name !== state,
  );
  const deleted = record.mark === "deleted";
  return (
    <>
      {deleted && <Deleted table={table} record={record} />}
      {record.pending === "draft" && <DraftNote table={table} record={record} />}
      {record.problem && <Problem record={record} />}
      <RecordTransitions table={table} record={record} />
      <Tabs
        defaultValue={deleted ? "history" : "fields"}
        className={classes.tabs ?? ""}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="fields" disabled={deleted}>
            Fields
          </Tabs.Tab>
          {abilities.history && <Tabs.Tab value="history">History</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="fields" className={classes.scroll ?? ""}>
          <div className={classes.form}>
            {fields.map((field) => (
              <RecordField
                key={field.name}
                table={table}
                field={field}
                abilities={abilities}
                record={record}
              />
            ))}
          </div>
        </Tabs.Panel>
        {abilities.history && (
          <Tabs.Panel value="history" className={classes.scroll ?? ""}>
            <HistoryList table={table} abilities={abilities} record={record} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}

function Deleted({ table, record }: { table: Table; record: RecordView }) {
  const restore = () => {
    restoreRecord(table.name, record.id).catch((error: unknown) => {
      toastFailure(error instanceof Error ? error.message : "It could not be brought back.");
    });
  };
  return (
    <div className={classes.banner} role="status">
      This {table.recordLabel} was deleted{record.markedBy && ` by ${record.markedBy}`}, or you may
      no longer see it.
      <Button size="compact-sm" variant="default" onClick={restore}>
        Bring it back
      </Button>
    </div>
  );
}

/** What a new record still needs, and the way to be rid of it. */
function DraftNote({ table, record }: { table: Table; record: RecordView }) {
  const needed = neededFields(table, record.values).map(({ label }) => label);
  const discard = () => {
    const restore = pageCore().edits.discard(table.name, record.id);
    toast("Draft discarded.", restore);
  };
  return (
    <div className={classes.banner} role="status">
      {needed.length > 0
        ? `Draft: only you can see it. Fill ${needed.join(", ")} to create this ${table.recordLabel}.`
        : `Draft: only you can see it. It is created when you fill a field.`}
      <Button size="compact-sm" variant="default" onClick={discard}>
        Discard draft
      </Button>
    </div>
  );
}

function Problem({ record }: { record: RecordView }) {
  const { problem } = record;
  if (!problem) return null;
  const { edits } = pageCore();
  return (
    <div className={classes.banner} data-tone="bad" role="status">
      {problem.message}
      <Button size="compact-sm" variant="default" onClick={() => edits.retry(problem.edit)}>
        Try again
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => edits.drop(problem.edit)}>
        Drop
      </Button>
    </div>
  );
}
