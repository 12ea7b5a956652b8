import { ActionIcon, Group, Stack, TextInput, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { findField, type Rule, type Table } from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { FilterBuilder } from "../../../records/filter/filter-builder.tsx";
import { filterText } from "../../../records/filter/filter-text.ts";
import { AddButton } from "../../../ui/add-button.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { Problem } from "../parts/problem.tsx";

const matchAll = { and: [] };

/** The rules of a table: each is a condition with an error message. */
export function RulesPart() {
  const { table, change } = useTableEditor();
  const rules = table.rules ?? [];
  const set = (update: (all: Rule[]) => Rule[]) =>
    change((one) => ({ ...one, rules: update(one.rules ?? []) }));
  return (
    <Stack aria-label={messages.rules()} component="section" gap={14} maw={820}>
      <Hint>{messages.rulesText({ record: table.recordLabel })}</Hint>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no name but its place.
        <RuleCard key={index} rule={rule} index={index} table={table} />
      ))}
      <div>
        <AddButton
          variant="default"
          onClick={() => set((all) => [...all, { filter: matchAll, message: "" }])}
        >
          {messages.addRule()}
        </AddButton>
      </div>
    </Stack>
  );
}

function RuleCard({ rule, index, table }: { rule: Rule; index: number; table: Table }) {
  const { change, problem } = useTableEditor();
  const patch = (part: Partial<Rule>, tag?: string) =>
    change(
      (one) => ({
        ...one,
        rules: (one.rules ?? []).map((was, at) => (at === index ? { ...was, ...part } : was)),
      }),
      tag && `rule ${index} ${tag}`,
    );
  const remove = () => {
    const undo = change(({ rules = [], ...one }) => {
      const left = rules.filter((_, at) => at !== index);
      return left.length ? { ...one, rules: left } : one;
    });
    toast(messages.ruleRemoved(), undo);
  };
  const isEmpty = "and" in rule.filter && rule.filter.and.length === 0;
  return (
    <Stack
      component="article"
      gap={10}
      p="12px 16px 16px"
      bd="1px solid var(--wf-line)"
      bdrs="md"
      aria-label={messages.ruleNumber({ number: index + 1 })}
    >
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
        operands
        emptyHint={messages.noConditions()}
        onFilter={(filter) => patch({ filter: filter ?? matchAll })}
      />
      <Problem at={["rules", index, "filter"]} />
      {!isEmpty && (
        <Hint>
          {messages.mustHold({
            condition: filterText(rule.filter, (name) => findField(table, name)?.label ?? name),
          })}
        </Hint>
      )}
      <TextInput
        {...noFill}
        label={messages.ruleMessage()}
        placeholder={messages.ruleMessageExample()}
        value={rule.message}
        error={problem("rules", index, "message")}
        onChange={(event) => patch({ message: event.currentTarget.value }, "message")}
      />
    </Stack>
  );
}
