import { ActionIcon, Group, Select, Stack, Text } from "@mantine/core";
import { IconArrowUp, IconTrash } from "@tabler/icons-react";
import {
  type ColourRule,
  RULES_MAX,
  type RuleColour,
  ruleColours,
} from "../../../../../shared/model/view/appearance.ts";
import { colourMessages } from "../../../messages/en/colours.ts";
import { lookMessages as messages } from "../../../messages/en/look.ts";
import { FilterBuilder } from "../../../records/filter/filter-builder.tsx";
import { moveItem } from "../../../records/order/move-item.ts";
import { AddButton } from "../../../ui/add-button.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import type { GridController } from "../grid-controller.ts";
import { ruleSigns } from "./colour-rules.ts";

interface Props {
  grid: GridController;
  rules: readonly ColourRule[];
  onChange(rules: ColourRule[]): void;
}

/** A rule that is not finished yet matches no record. */
const nothing = { or: [] };
const WHOLE_ROW = "";

/** The list of colour rules: filter, colour, and what is coloured. */
export function ColourRulesEditor({ grid, rules, onChange }: Props) {
  const isFull = rules.length >= RULES_MAX;
  const add = () => {
    const used = rules.map(({ colour }) => colour);
    const colour = ruleColours.find((one) => !used.includes(one)) ?? "gray";
    onChange([...rules, { filter: nothing, colour, field: null }]);
  };
  const change = (at: number, next: ColourRule) =>
    onChange(rules.map((rule, index) => (index === at ? next : rule)));
  return (
    <Stack
      component="section"
      gap={8}
      mt={4}
      pt={10}
      style={{ borderBlockStart: "1px solid var(--wf-line)" }}
      aria-label={messages.rules()}
    >
      <Text span fz="sm" fw={600}>
        {messages.rules()}
      </Text>
      <Hint fz="xs">{messages.rulesHint()}</Hint>
      {rules.map((rule, at) => (
        <RuleEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name; the editor of a place stays open.
          key={at}
          grid={grid}
          rule={rule}
          number={at + 1}
          onChange={(next) => change(at, next)}
          onUp={() => onChange(moveItem(rules, at, -1))}
          onRemove={() => onChange(rules.filter((_, index) => index !== at))}
        />
      ))}
      <AddButton
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: "start" }}
        disabled={isFull}
        onClick={add}
      >
        {isFull ? messages.rulesFull({ max: RULES_MAX }) : messages.addRule()}
      </AddButton>
    </Stack>
  );
}

interface RuleProps {
  grid: GridController;
  rule: ColourRule;
  number: number;
  onChange(rule: ColourRule): void;
  onUp(): void;
  onRemove(): void;
}

function RuleEditor({ grid, rule, number, onChange, onUp, onRemove }: RuleProps) {
  const fields = [...grid.fields.values()];
  const targets = [
    { value: WHOLE_ROW, label: messages.wholeRow() },
    ...fields.map(({ name, label }) => ({ value: name, label })),
  ];
  const isEmpty = "or" in rule.filter && rule.filter.or.length === 0;
  return (
    <Stack component="fieldset" gap={8} p={8} bd="1px solid var(--wf-line)" bdrs="md">
      <legend className="wf-visually-hidden">{messages.rule({ number })}</legend>
      <Group gap={6}>
        <Select
          size="xs"
          w={130}
          allowDeselect={false}
          aria-label={messages.ruleColour({ number })}
          data={ruleColours.map((value) => ({
            value,
            label: `${ruleSigns[value]} ${colourMessages[value]()}`,
          }))}
          value={rule.colour}
          onChange={(value) => onChange({ ...rule, colour: value as RuleColour })}
          comboboxProps={{ withinPortal: false }}
        />
        <Select
          {...noFill}
          size="xs"
          flex="1 1 130px"
          allowDeselect={false}
          searchable
          aria-label={messages.ruleTarget({ number })}
          data={targets}
          value={rule.field ?? WHOLE_ROW}
          onChange={(value) => onChange({ ...rule, field: value || null })}
          comboboxProps={{ withinPortal: false }}
        />
        {number > 1 && (
          <ActionIcon aria-label={messages.moveRuleUp({ number })} onClick={onUp}>
            <IconArrowUp size={15} />
          </ActionIcon>
        )}
        <ActionIcon aria-label={messages.removeRule({ number })} onClick={onRemove}>
          <IconTrash size={15} />
        </ActionIcon>
      </Group>
      <FilterBuilder
        fields={fields}
        filter={isEmpty ? null : rule.filter}
        emptyHint={messages.ruleEmpty()}
        operands
        onFilter={(filter) => onChange({ ...rule, filter: filter ?? nothing })}
      />
    </Stack>
  );
}
