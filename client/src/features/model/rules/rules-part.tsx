import { ActionIcon, Button, Group, Stack, TextInput, Title } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { describeFilter } from "../../../../../shared/filter/describe.ts";
import { findField, type Rule, type Table } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { FilterBuilder } from "../../../ui/filter/filter-builder.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { useDraftLookUp } from "../fields/use-draft-look-up.ts";
import classes from "./rules.module.css";

const matchAll = { and: [] };

/** The rules of a table: each is a condition with an error message. */
export function RulesPart() {
  const { table, change } = useTableEditor();
  const rules = table.rules ?? [];
  const set = (update: (all: Rule[]) => Rule[]) =>
    change((one) => ({ ...one, rules: update(one.rules ?? []) }));
  return (
    <Stack aria-label={messages.rules()} component="section" gap={14} maw={820}>
      <p className={classes.lead}>{messages.rulesText({ record: table.recordLabel })}</p>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name but its place.
        <RuleCard key={index} rule={rule} index={index} table={table} />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => set((all) => [...all, { filter: matchAll, message: "" }])}
        >
          {messages.addRule()}
        </Button>
      </div>
    </Stack>
  );
}

function RuleCard({ rule, index, table }: { rule: Rule; index: number; table: Table }) {
  const { change, problem } = useTableEditor();
  const { store } = useDraft();
  const lookUp = useDraftLookUp();
  const patch = (part: Partial<Rule>, tag?: string) =>
    change(
      (one) => ({
        ...one,
        rules: (one.rules ?? []).map((was, at) => (at === index ? { ...was, ...part } : was)),
      }),
      tag && `rule ${index} ${tag}`,
    );
  const remove = () => {
    change(({ rules = [], ...one }) => {
      const left = rules.filter((_, at) => at !== index);
      return left.length ? { ...one, rules: left } : one;
    });
    toast(messages.ruleRemoved(), () => store.undo());
  };
  const isEmpty = "and" in rule.filter && rule.filter.and.length === 0;
  return (
    <article className={classes.rule} aria-label={messages.ruleNumber({ number: index + 1 })}>
      <Group component="header" gap={0} justify="space-between" wrap="nowrap">
        <Title order={3}>{messages.ruleNumber({ number: index + 1 })}</Title>
        <ActionIcon
          size="sm"
          aria-label={messages.removeRule({ number: index + 1 })}
          onClick={remove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <FilterBuilder
        fields={table.fields}
        filter={isEmpty ? null : rule.filter}
        lookUp={lookUp}
        operands
        emptyHint={messages.noConditions()}
        onFilter={(filter) => patch({ filter: filter ?? matchAll })}
      />
      {problem("rules", index, "filter") && (
        <p className={classes.problem}>{problem("rules", index, "filter")}</p>
      )}
      {!isEmpty && (
        <p className={classes.words}>
          {messages.mustHold({
            condition: describeFilter(rule.filter, (name) => findField(table, name)?.label ?? name),
          })}
        </p>
      )}
      <TextInput
        label={messages.ruleMessage()}
        placeholder={messages.ruleMessageExample()}
        value={rule.message}
        error={problem("rules", index, "message")}
        onChange={(event) => patch({ message: event.currentTarget.value }, "message")}
      />
    </article>
  );
}
