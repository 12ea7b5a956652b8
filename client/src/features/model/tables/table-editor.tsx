import { Box, Tabs, TextInput } from "@mantine/core";
import { useLocation } from "wouter";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { CountMark } from "../../../ui/count-mark.ts";
import { noFill } from "../../../ui/no-fill.ts";
import { addressOfTable, type Tab, tabs } from "../addresses.ts";
import { renameTable } from "../document/edit-model.ts";
import { isNew, nameFor, singular } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { OpenTable, useTableEditor } from "../draft/use-table-editor.ts";
import { FieldsPart } from "../fields/fields-part.tsx";
import { RulesPart } from "../rules/rules-part.tsx";
import { selectOnce } from "../select-once.ts";
import { WorkflowPart } from "../workflow/workflow-part.tsx";
import { TableSettings } from "./table-settings.tsx";
import classes from "./tables.module.css";

/** One table of the draft: its name, and its fields, workflow, rules and settings. */
export function TableEditor({ id, tab }: { id: string; tab: Tab }) {
  return (
    <OpenTable value={id}>
      <TableHead />
      <TableTabs tab={tab} />
    </OpenTable>
  );
}

const names: Record<Tab, () => string> = {
  fields: messages.fields,
  workflow: messages.workflow,
  rules: messages.rules,
  table: messages.settings,
};

function TableTabs({ tab }: { tab: Tab }) {
  const editor = useTableEditor();
  const [, navigate] = useLocation();
  const counts: Record<Tab, number> = {
    fields: editor.countProblems("fields"),
    workflow: editor.countProblems("workflow"),
    rules: editor.countProblems("rules"),
    table:
      editor.countProblems() - editor.countProblems("fields") - editor.countProblems("workflow"),
  };
  counts.table -= counts.rules;
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(next) => navigate(addressOfTable(editor.id, next as Tab))}
    >
      <Tabs.List>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {names[one]()}
            {counts[one] > 0 && (
              <CountMark my={-2} ms={6} bg="var(--wf-bad-soft)" c="var(--wf-bad)">
                <span className="wf-visually-hidden">
                  {messages.problems({ count: counts[one] })}
                </span>
                <span aria-hidden="true">{counts[one]}</span>
              </CountMark>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Box pt={16}>
        <Tabs.Panel value="fields">
          <FieldsPart />
        </Tabs.Panel>
        <Tabs.Panel value="workflow">
          <WorkflowPart />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <RulesPart />
        </Tabs.Panel>
        <Tabs.Panel value="table">
          <TableSettings />
        </Tabs.Panel>
      </Box>
    </Tabs>
  );
}

/** The table's label and singular name. A new table's technical name is derived from its label. */
function TableHead() {
  const { id, table, model, patch, problem } = useTableEditor();
  const { edit } = useDraft();
  const others = model.tables.filter((one) => one !== table).map(({ name }) => name);
  const write = (label: string) => {
    const followsLabel = isNew(table.id) && table.name === nameFor(table.label, others, "table");
    const hasDefaultRecordLabel =
      table.recordLabel === "record" || table.recordLabel === singular(table.label);
    const recordLabel = followsLabel && hasDefaultRecordLabel ? singular(label) : table.recordLabel;
    patch({ label, recordLabel }, "label");
    if (!followsLabel) return;
    edit((draft) => renameTable(draft, id, nameFor(label, others, "table")), `${id} label`);
  };
  return (
    <div className={classes.head}>
      <TextInput
        {...noFill}
        key={id}
        label={messages.table()}
        value={table.label}
        error={problem("label")}
        ref={isNew(table.id) ? selectOnce : undefined}
        onChange={(event) => write(event.currentTarget.value)}
      />
      <TextInput
        {...noFill}
        label={messages.recordLabel()}
        value={table.recordLabel}
        error={problem("recordLabel")}
        onChange={(event) => patch({ recordLabel: event.currentTarget.value }, "recordLabel")}
      />
    </div>
  );
}
