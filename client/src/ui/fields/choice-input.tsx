import { Popover } from "@mantine/core";
import { useId } from "react";
import { ChoiceLead } from "./choice-lead.tsx";
import { ChoiceList } from "./choice-list.tsx";
import classes from "./fields.module.css";
import type { InputProps } from "./input-props.ts";
import { useChoice } from "./use-choice.ts";

/** An input that chooses from a list: options, yes and no, people, linked records. */
export function ChoiceInput(props: InputProps) {
  const { field, look, lookUp, value } = props;
  const choice = useChoice(props);
  const listId = useId();
  return (
    <Popover
      opened={choice.open}
      position="bottom-start"
      offset={look === "cell" ? 2 : 4}
      {...(look === "form" && { width: "target" as const })}
      shadow="md"
      trapFocus={false}
      returnFocus={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      withRoles={false}
    >
      <Popover.Target>
        <span className={classes.line} data-look={look}>
          {choice.untouched && <ChoiceLead field={field} value={value} lookUp={lookUp} />}
          <input
            id={props.id}
            className={classes.input}
            role="combobox"
            value={choice.text}
            autoComplete="off"
            spellCheck={false}
            aria-label={props.label ?? (look === "cell" ? field.label : undefined)}
            aria-describedby={props.describedBy}
            aria-expanded={choice.open}
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={
              choice.open && choice.active >= 0 ? `${listId}-${choice.active}` : undefined
            }
            onChange={(event) => choice.type(event.target.value)}
            onKeyDown={choice.onKeyDown}
            onClick={choice.show}
            onFocus={(event) => {
              if (look === "form") event.currentTarget.select();
              props.onFocus?.();
            }}
            onBlur={choice.leave}
          />
        </span>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown ?? ""}>
        <ChoiceList
          id={listId}
          label={field.label}
          kind={kindOf(field.type)}
          choices={choice.choices}
          active={choice.active}
          current={value}
          note={choice.note}
          onPick={choice.pick}
          onHover={choice.mark}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function kindOf(type: InputProps["field"]["type"]) {
  if (type === "select") return "option";
  return type === "person" ? "person" : "plain";
}
