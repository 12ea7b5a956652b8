import { Button, Group, TextInput, Tooltip } from "@mantine/core";
import { type KeyboardEvent, type Ref, useState, useSyncExternalStore } from "react";
import { findMessages as messages } from "../../../messages/en/find.ts";
import { isSaveKey } from "../../../records/fields/save-key.ts";
import { noFill } from "../../../ui/no-fill.ts";
import { useBusy } from "../../../ui/use-action.ts";
import type { GridController } from "../grid-controller.ts";
import classes from "./find.module.css";
import { replaceAll, replaceCurrent } from "./replace.ts";

interface Props {
  grid: GridController;
  /** The text to replace. */
  text: string;
  input: Ref<HTMLInputElement>;
}

/** The line of the find bar that replaces the text in one cell, or in all. */
export function ReplaceTools({ grid, text, input }: Props) {
  const [replacement, setReplacement] = useState("");
  const { run } = useBusy();
  const isSelection = useSyncExternalStore(
    (onChange) => grid.range.onChange(onChange),
    () => grid.range.isShown,
  );
  const one = () => void run(() => replaceCurrent(grid, replacement));
  const all = () => void run(() => replaceAll(grid, replacement));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (isSaveKey(event)) all();
    else one();
  };
  const button = (label: string, hint: string, onClick: () => void) => (
    <Tooltip label={hint}>
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
    </Tooltip>
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
        onChange={(event) => setReplacement(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {button(messages.replace(), messages.replaceHint(), one)}
      {isSelection
        ? button(messages.replaceSelected(), messages.replaceSelectedHint(), all)
        : button(messages.replaceAll(), messages.replaceAllHint(), all)}
    </Group>
  );
}
