import { Popover } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useId } from "react";
import classes from "./fields.module.css";
import { type InputProps, inputLook } from "./input-props.ts";
import { LABEL_WAITING } from "./label-waiting.ts";

/** The typed text and the state of the list. */
interface Combo {
  text: string;
  /** The label of the value is not loaded yet. */
  isWaiting?: boolean;
  open: boolean;
  /** The text is still the label of the value. */
  untouched?: boolean;
  /** The active item of the list; -1 for none. */
  active: number;
  type: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  show: () => void;
  leave: () => void;
}

interface Props {
  input: InputProps;
  combo: Combo;
  /** Shown before the text. */
  lead?: ReactNode;
  /** An error, shown after the text. */
  error?: ReactNode;
  dir?: "auto";
  /** Whether a form selects the whole text on focus. */
  selects?: boolean;
  list: (id: string) => ReactNode;
}

/** Makes the list as wide as the input. */
const TARGET_WIDTH = "target";

/** Focus and keys stay with the input. */
const popoverProps = {
  shadow: "md",
  trapFocus: false,
  returnFocus: false,
  closeOnEscape: false,
  closeOnClickOutside: false,
  transitionProps: { duration: 0 },
  withRoles: false,
};

/** A text input with a list below it, for cells and forms. */
export function ComboBox({ input, combo, lead, error, dir, selects, list }: Props) {
  const { field, look } = input;
  const listId = useId();
  const [frame, own] = inputLook(look, Boolean(error));
  return (
    <Popover
      opened={combo.open}
      position="bottom-start"
      offset={look === "cell" ? 2 : 4}
      {...(look === "form" && { width: TARGET_WIDTH })}
      {...popoverProps}
    >
      <Popover.Target>
        <span {...frame}>
          {lead}
          <input
            {...own}
            id={input.id}
            dir={dir}
            role="combobox"
            value={combo.text}
            placeholder={combo.isWaiting ? LABEL_WAITING : undefined}
            spellCheck={false}
            aria-label={input.label ?? (look === "cell" ? field.label : undefined)}
            aria-describedby={input.describedBy}
            aria-invalid={Boolean(error) || undefined}
            aria-expanded={combo.open}
            // Escape closes the list only, not the dialog around it (Mantine's Modal reads this).
            data-mantine-stop-propagation={combo.open || undefined}
            aria-autocomplete="list"
            aria-controls={listId}
            aria-activedescendant={
              combo.open && combo.active >= 0 ? `${listId}-${combo.active}` : undefined
            }
            onChange={(event) => combo.type(event.target.value)}
            onKeyDown={combo.onKeyDown}
            onClick={(event) => {
              combo.show();
              // What is typed replaces the label, also after a second tap: a label with more behind it names nothing.
              if (selects && look === "form" && combo.untouched) event.currentTarget.select();
            }}
            onFocus={(event) => {
              if (selects && look === "form") event.currentTarget.select();
              input.onFocus?.();
            }}
            onBlur={combo.leave}
          />
          {look === "form" && (
            <IconChevronDown
              className={classes.chevron}
              size={14}
              stroke={1.8}
              aria-hidden="true"
            />
          )}
          {error}
        </span>
      </Popover.Target>
      <Popover.Dropdown p={0} className={classes.dropdown ?? ""}>
        {list(listId)}
      </Popover.Dropdown>
    </Popover>
  );
}
