import { Button, Group, TextInput } from "@mantine/core";
import { type KeyboardEvent, type Ref, useSyncExternalStore } from "react";
import { findMessages as messages } from "../../../messages/en/find.ts";
import { isSaveKey } from "../../../records/fields/save-key.ts";
import { ButtonTooltip } from "../../../ui/button-tooltip.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { useBusy } from "../../../ui/use-action.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./find.module.css";
import type { FindState } from "./find-state.ts";
import { replaceAll, replaceCurrent } from "./replace.ts";

interface Props {
  grid: GridController;
  state: FindState;
  input: Ref<HTMLInputElement>;
}

/** The line of the find bar that replaces the text in one cell, or in all. */
export function ReplaceTools({ grid, state, input }: Props) {
  const { find } = grid;
  const { text, replacement } = state;
  const { run } = useBusy();
  const isSelection = useSyncExternalStore(
    (onChange) => grid.range.onChange(onChange),
    () => grid.range.isShown,
  );
  const replace = (write: typeof replaceAll) =>
    void run(async () => {
      // Another grid is being drawn in place of this one.
      if (grid.api.isDestroyed()) return;
      await write(grid, replacement);
      find.noteReplaced();
    });
  const one = () => replace(replaceCurrent);
  const all = () => replace(replaceAll);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (isSaveKey(event)) all();
    else one();
  };
  const button = (label: string, hint: string, onClick: () => void) => (
    <ButtonTooltip label={hint}>
      <Button
        variant="default"
        size="xs"
        px="sm"
        flex="none"
        disabled={text === ""}
        {...{ onClick }}
      >
        {label}
      </Button>
    </ButtonTooltip>
  );
  return (
    <Group className={classes.replace ?? ""} gap={8} wrap="nowrap">
      <TextInput
        {...noFill}
        ref={input}
        flex="0 1 280px"
        miw={90}
        size="xs"
        aria-label={messages.replaceInput()}
        placeholder={messages.replaceInput()}
        value={replacement}
        onChange={(event) => find.setReplacement(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {button(messages.replace(), messages.replaceHint(), one)}
      {isSelection
        ? button(messages.replaceSelected(), messages.replaceSelectedHint(), all)
        : button(messages.replaceAll(), messages.replaceAllHint(), all)}
    </Group>
  );
}
