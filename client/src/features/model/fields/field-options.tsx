import { ActionIcon, Box, Menu } from "@mantine/core";
import { IconArrowRight, IconX } from "@tabler/icons-react";
import { useState } from "react";
import {
  type Field,
  type findField,
  idOfField,
  idOfTable,
  type Option,
} from "../../../../../shared/model/model.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { moveItem } from "../../../records/order/move-item.ts";
import { OrderButtons } from "../../../records/order/order-buttons.tsx";
import { AddButton } from "../../../ui/add-button.tsx";
import { freeText } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { ColourMenu } from "../parts/colour-menu.tsx";
import { CommitInput } from "../parts/commit-input.tsx";
import { freeColour } from "../parts/free-colour.ts";
import { Problem } from "../parts/problem.tsx";
import { UsedBy } from "../parts/used-by.tsx";
import { changeOptions, renameOption } from "../workflow/edit-workflow.ts";
import { replaceOption } from "../workflow/replace-option.ts";
import classes from "./fields.module.css";

interface Props {
  field: Field;
  index: number;
}

/** The options of a choice: colour, label, order. The label of a new option is selected. */
export function FieldOptions({ field, index }: Props) {
  const { change, problem } = useTableEditor();
  const options = field.options ?? [];
  const [added, setAdded] = useState<string | null>(null);
  const isPublished = useIsPublished(field);
  const edit = (update: (all: Option[]) => Option[]) =>
    change((table) => changeOptions(table, currentName(table, field), update));
  const add = () => {
    const value = freeText(
      messages.option(),
      options.map((option) => option.value),
    );
    edit((all) => [...all, { value, colour: freeColour(all) }]);
    setAdded(value);
  };
  /** Each line of a list becomes an option, the first one in the place of one that was just added and has no name yet. */
  const addList = (place: number, names: readonly string[]) =>
    edit((all) => {
      const isNew = all[place]?.value === added;
      const others = all.filter((_, at) => !isNew || at !== place);
      const taken = others.flatMap(({ value, label }) => [value, label]);
      const made: Option[] = [];
      for (const value of names) {
        if (!taken.includes(value)) made.push({ value, colour: freeColour([...others, ...made]) });
      }
      return all.toSpliced(place + (isNew ? 0 : 1), isNew && made.length > 0 ? 1 : 0, ...made);
    });
  return (
    <fieldset className={classes.options}>
      <legend>{messages.options()}</legend>
      {options.map((option, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option that is called otherwise keeps its place, and who tabs through it the focus.
        <div className={classes.option} key={place}>
          <ColourMenu
            of={labelOf(option)}
            colour={option.colour}
            onColour={(colour) =>
              edit((all) => all.map((one, at) => (at === place ? { ...one, colour } : one)))
            }
          />
          <OptionLabel
            field={field}
            option={option}
            error={problem("fields", index, "options", place)}
            isAdded={option.value === added}
            onEnter={add}
            onLines={(names) => addList(place, names)}
          />
          <OrderButtons
            of={labelOf(option)}
            index={place}
            count={options.length}
            onMove={(by) => edit((all) => moveItem(all, place, by))}
          />
          <RemoveOption
            field={field}
            option={option}
            others={isPublished(option) ? options.filter((one) => one !== option) : []}
            onRemove={() => edit((all) => all.filter((_, at) => at !== place))}
            onReplace={(by) =>
              change((table) => replaceOption(table, currentName(table, field), option.value, by))
            }
          />
        </div>
      ))}
      <Problem at={["fields", index, "options"]} />
      <AddButton variant="subtle" size="compact-sm" onClick={add}>
        {messages.addOption()}
      </AddButton>
    </fieldset>
  );
}

interface LabelProps {
  field: Field;
  option: Option;
  error: string | undefined;
  isAdded: boolean;
  onEnter(): void;
  onLines(names: string[]): void;
}

/**
 * The name of an option. A published option keeps its value, which records have, and gets a label instead; an
 * unpublished one changes its value.
 */
function OptionLabel({ field, option, error, isAdded, onEnter, onLines }: LabelProps) {
  const { change } = useTableEditor();
  const isPublished = useIsPublished(field)(option);
  const write = (text: string) =>
    change((table) => {
      const name = currentName(table, field);
      if (!isPublished) return renameOption(table, name, option.value, text);
      const { label: _, ...rest } = option;
      const next = text === option.value ? rest : { ...rest, label: text };
      return changeOptions(table, name, (all) =>
        all.map((one) => (one.value === option.value ? next : one)),
      );
    });
  const others = (field.options ?? []).filter((one) => one !== option);
  return (
    <CommitInput
      label={messages.option()}
      hideLabel
      value={labelOf(option)}
      error={error}
      autoFocus={isAdded}
      validate={(text) => {
        if (text === "") return messages.nameRequired();
        const isTaken = others.some((one) => one.value === text || one.label === text);
        return isTaken ? messages.optionExists({ name: text }) : null;
      }}
      onCommit={write}
      onEnter={onEnter}
      onLines={onLines}
    />
  );
}

/** Whether records may already have an option. */
function useIsPublished(field: Field): (option: Option) => boolean {
  const { id } = useTableEditor();
  const { base } = useDraft();
  const publishedField = base.tables
    .find((table) => idOfTable(table) === id)
    ?.fields.find((one) => idOfField(one) === idOfField(field));
  return (option) => publishedField?.options?.some(({ value }) => value === option.value) ?? false;
}

/** The field's current name: it may have changed since the last render. */
function currentName(table: Parameters<typeof findField>[0], field: Field): string {
  return table.fields.find((one) => idOfField(one) === idOfField(field))?.name ?? field.name;
}

interface RemoveOptionProps {
  field: Field;
  option: Option;
  /** The options that can replace it; none if no record can have it yet. */
  others: readonly Option[];
  onRemove(): void;
  onReplace(by: string): void;
}

/** Removes an option. Records may have a published one, so another option can replace it there. */
function RemoveOption({ field, option, others, onRemove, onReplace }: RemoveOptionProps) {
  const { table } = useTableEditor();
  const label = labelOf(option);
  const icon = <IconX size={15} />;
  if (others.length === 0) {
    return (
      <ActionIcon size="sm" aria-label={messages.removeNamed({ name: label })} onClick={onRemove}>
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="sm" aria-label={messages.removeNamed({ name: label })}>
          {icon}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        <Menu.Label>{messages.replaceOption({ option: label })}</Menu.Label>
        {others.map((other) => (
          <Menu.Item
            key={other.value}
            leftSection={<IconArrowRight size={15} aria-hidden="true" />}
            onClick={() => onReplace(other.value)}
          >
            {messages.replaceBy({ option: labelOf(other) })}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Box px="sm" py={4}>
          <UsedBy table={idOfTable(table)} field={idOfField(field)} option={option.value} />
        </Box>
        <Menu.Item color="var(--wf-bad)" leftSection={icon} onClick={onRemove}>
          {messages.clearOption()}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function labelOf({ label, value }: Option): string {
  return label ?? value;
}
