import { ActionIcon, Button, Group, TextInput, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconReplace, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { findMessages as messages } from "../../../messages/en/find.ts";
import { runUndoStep } from "../../../records/undo.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { formatCount } from "../../../ui/numbers.ts";
import { Hint } from "../../../ui/texts.ts";
import type { GridController } from "../grid-controller.ts";
import { RANGE_MAX_ROWS } from "../range/read-parts.ts";
import classes from "./find.module.css";
import { type FindState, searchedText } from "./find-state.ts";
import { ReplaceTools } from "./replace-tools.tsx";

/** The bar above the rows: the text, "3 of 127", steps through the matches, and what replaces it. */
export function FindBar({ grid }: { grid: GridController }) {
  const { find } = grid;
  const state = useSyncExternalStore(find.subscribe, find.state);
  const input = useRef<HTMLInputElement>(null);
  const replaceInput = useRef<HTMLInputElement>(null);
  const { isOpen, isReplacing, opened, text } = state;
  // Again whenever it is opened, also if it is shown.
  useEffect(() => {
    if (opened === 0) return;
    const isReplaced = input.current?.value !== "" && replaceInput.current;
    (isReplaced || input.current)?.select();
  }, [opened]);
  if (!isOpen) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, target } = event;
    const letter = event.ctrlKey || event.metaKey ? key.toLowerCase() : "";
    if (key === "Escape") find.close();
    else if (key === "Enter" && target === input.current) find.step(shiftKey ? -1 : 1);
    else if (/^[zy]$/.test(letter) && (state.isReplaced || !(target instanceof HTMLInputElement))) {
      // Until something is typed there is nothing in the inputs that could be taken back.
      const direction = shiftKey || letter === "y" ? "redo" : "undo";
      void runUndoStep(grid.core.undo, direction, { table: grid.table.name });
    } else if (letter === "f") input.current?.select();
    else if (letter === "h" && (event.metaKey || !shiftKey)) find.open(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className={classes.bar} aria-label={messages.bar()} onKeyDown={onKeyDown}>
      <TextInput
        {...noFill}
        ref={input}
        size="xs"
        aria-label={messages.input()}
        placeholder={messages.input()}
        value={text}
        maxLength={200}
        onChange={(event) => find.setText(event.currentTarget.value)}
      />
      <Group gap={8} wrap="nowrap" miw={0}>
        <Hint role="status" span miw={0} fz="xs" data-testid="find-place">
          {placeText(state)}
        </Hint>
        {state.phase === "failed" && (
          <Button variant="subtle" size="compact-xs" onClick={() => find.retry()}>
            {messages.retry()}
          </Button>
        )}
      </Group>
      {isReplacing && <ReplaceTools grid={grid} state={state} input={replaceInput} />}
      <FindActions grid={grid} state={state} />
    </search>
  );
}

/** Shows or hides the line that replaces, steps through the matches, and closes the bar. */
function FindActions({ grid, state }: { grid: GridController; state: FindState }) {
  const { find, abilities } = grid;
  const { count, isReplacing } = state;
  const step = (by: 1 | -1, label: string, icon: ReactNode) => (
    <ActionIcon aria-label={label} disabled={count === 0} onClick={() => find.step(by)}>
      {icon}
    </ActionIcon>
  );
  return (
    <Group gap={0} wrap="nowrap">
      {abilities.update.length > 0 && (
        <IconButton
          label={messages.findAndReplace()}
          aria-expanded={isReplacing}
          onClick={() => find.open(!isReplacing)}
        >
          <IconReplace size={16} />
        </IconButton>
      )}
      {step(-1, messages.previous(), <IconChevronUp size={16} />)}
      {step(1, messages.next(), <IconChevronDown size={16} />)}
      <ActionIcon aria-label={messages.close()} onClick={() => find.close()}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}

function placeText(state: FindState) {
  const { phase, count, at, isBounded } = state;
  if (searchedText(state) === "") return null;
  if (phase === "failed") return messages.failed();
  if (phase === "searching" && count === 0) return messages.searching();
  const place =
    count === 0
      ? messages.none()
      : messages.place({ at: formatCount(at + 1), count: formatCount(count) });
  if (!isBounded) return place;
  const rows = formatCount(RANGE_MAX_ROWS);
  return (
    <>
      {place}{" "}
      <Tooltip label={messages.boundedHint({ count: rows })} multiline maw={320}>
        <span>{messages.bounded({ count: rows })}</span>
      </Tooltip>
    </>
  );
}
