import { Button, Tabs } from "@mantine/core";
import type { Table } from "../../../../shared/model/model.ts";
import { neededFields } from "../../../../shared/model/needed-fields.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import type { RecordView } from "../../state/record-view.ts";
import { restoreRecord } from "../../sync/calls/record-history.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { formatList } from "../../ui/numbers.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { HistoryList } from "./history-list.tsx";
import classes from "./record.module.css";
import { RecordField } from "./record-field.tsx";
import { RecordTransitions } from "./record-transitions.tsx";

interface Props {
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
}

/** The fields of the record as a form, and its history. */
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
            {messages.fields()}
          </Tabs.Tab>
          {abilities.history && <Tabs.Tab value="history">{messages.history()}</Tabs.Tab>}
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
    restoreRecord(table.name, record.id).catch(toastProblem);
  };
  return (
    <div className={classes.banner} role="status">
      {record.markedBy
        ? messages.deletedBy({ record: table.recordLabel, author: record.markedBy })
        : messages.deleted({ record: table.recordLabel })}
      <Button size="compact-sm" variant="default" onClick={restore}>
        {messages.restoreRecord()}
      </Button>
    </div>
  );
}

/** The fields that a draft still needs, and a button to discard it. */
function DraftNote({ table, record }: { table: Table; record: RecordView }) {
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

function Problem({ record }: { record: RecordView }) {
  const { problem } = record;
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
