import { TextInput } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import { foldCase } from "../../../../shared/filter/fold-case.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { filterMessages as messages } from "../../messages/en/filter.ts";
import { noFill } from "../../ui/no-fill.ts";
import { ChoiceList } from "../fields/choice-list.tsx";
import classes from "./filter-builder.module.css";

interface Props {
  fields: readonly Field[];
  /** A condition that is often wanted, offered before the fields. */
  offered: OfferedCondition | null;
  onPick(field: Field): void;
  onOffered(filter: Filter): void;
}

/** A whole condition, and what it is called. */
export interface OfferedCondition {
  label: string;
  filter: Filter;
}

/** The fields to filter by, which typing narrows: what a filter begins with. The focus stays in the input. */
export function FieldList({ fields, offered, onPick, onOffered }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Where it comes back because the last condition was removed, what is around it has the focus.
  useEffect(() => {
    if (document.activeElement?.contains(input.current)) input.current?.focus();
  }, []);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const wanted = foldCase(text.trim());
  const isWanted = ({ label }: { label: string }) => foldCase(label).includes(wanted);
  const first = offered && isWanted(offered) ? [{ value: null, label: offered.label }] : [];
  const found = [
    ...first,
    ...fields.filter(isWanted).map(({ name, label }) => ({ value: name, label })),
  ];
  const pick = (index: number) => {
    const chosen = found[index];
    const field = fields.find(({ name }) => name === chosen?.value);
    if (field) onPick(field);
    else if (chosen && offered) onOffered(offered.filter);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 && event.key !== "Enter") return;
    event.preventDefault();
    if (step === 0) pick(active);
    else setActive((active + step + found.length) % Math.max(found.length, 1));
  };
  return (
    <div className={classes.start}>
      <TextInput
        {...noFill}
        ref={input}
        size="xs"
        data-autofocus
        role="combobox"
        aria-expanded
        data-always-open=""
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        aria-label={messages.filterBy()}
        placeholder={messages.filterBy()}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ChoiceList
        id={id}
        label={messages.fields()}
        kind="plain"
        choices={found}
        active={active}
        current=""
        note={found.length === 0 ? messages.noSuchField() : undefined}
        onPick={({ value }) => pick(found.findIndex((one) => one.value === value))}
        onHover={setActive}
      />
    </div>
  );
}
