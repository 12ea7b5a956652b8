import { Button, CloseButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Filter } from "../../../../shared/filter/filter.ts";
import { findField, type Table } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { optionLabel } from "../fields/format-value.ts";
import { useLookUp } from "../fields/look-up.ts";
import { useLabelUpdates } from "../fields/use-label-updates.ts";
import type { OfferedCondition } from "../filter/field-list.tsx";
import { filterText } from "../filter/filter-text.ts";
import { type FilterGroup, fromFilter, toFilter } from "../filter/filter-tree.ts";
import classes from "./toolbar.module.css";

interface Props {
  table: Table;
  /** A condition that has a name. */
  offered: OfferedCondition | null;
  filter: Filter | null;
  onFilter(filter: Filter | null): void;
  /** Opens the conditions. */
  onOpen(): void;
}

/** What filters the rows, each condition as a chip that opens it, with a button that removes it. Nothing without a filter. */
export function FilterChips({ table, offered, filter, onFilter, onOpen }: Props) {
  useLabelUpdates();
  const lookUp = useLookUp();
  if (filter === null) return null;
  const chips = chipsOf(filter);
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  const valueLabelOf = (name: string, value: unknown) => {
    const field = findField(table, name);
    if (!field || typeof value !== "string") return undefined;
    return field.options ? optionLabel(field, value) : lookUp.labelOf(field, value);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons is no fieldset.
    <div className={classes.chips} role="group" aria-label={messages.chips()}>
      {chips.map(({ id, condition, rest }) => {
        const isNamed = offered !== null && deepEqual(condition, offered.filter);
        const text = isNamed ? offered.label : filterText(condition, labelOf, valueLabelOf);
        return (
          <span key={id} className={classes.chip}>
            <button type="button" className={classes.chipText} title={text} onClick={onOpen}>
              {text}
            </button>
            <CloseButton
              size={24}
              iconSize={14}
              aria-label={messages.removeChip({ condition: text })}
              onClick={() => onFilter(rest)}
            />
          </span>
        );
      })}
      <IconButton label={messages.changeFilter()} size={24} onClick={onOpen}>
        <IconPlus size={14} aria-hidden="true" />
      </IconButton>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        fw={400}
        onClick={() => onFilter(null)}
      >
        {messages.clearAll()}
      </Button>
    </div>
  );
}

interface Chip {
  id: string;
  condition: Filter;
  /** The filter without it. */
  rest: Filter | null;
}

/** The conditions that all match; the filter as one where it is not of that form. */
function chipsOf(filter: Filter): Chip[] {
  const group = fromFilter(filter);
  const whole = { id: "", condition: filter, rest: null };
  if (group?.mode !== "all") return [whole];
  const only = (parts: FilterGroup["parts"]) => toFilter({ ...group, parts });
  const chips = group.parts.flatMap((part, at) => {
    const condition = only([part]);
    const rest = only(group.parts.filter((one) => one !== part));
    return condition ? [{ id: String(at), condition: unwrapped(condition), rest }] : [];
  });
  return chips.length > 0 ? chips : [whole];
}

function unwrapped(filter: Filter): Filter {
  const [only, ...others] = "and" in filter ? filter.and : [];
  return only && others.length === 0 ? only : filter;
}
