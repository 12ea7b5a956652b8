import { ActionIcon, Button, Group, TextInput, Tooltip } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { findMessages as messages } from "../../../messages/en/find.ts";
import { ToolButton } from "../../../records/toolbar/tool-button.tsx";
import { formatCount } from "../../../ui/numbers.ts";
import { Hint } from "../../../ui/texts.ts";
import type { GridController } from "../grid-controller.ts";
import { RANGE_MAX_ROWS } from "../range/read-parts.ts";
import classes from "./find.module.css";
import type { FindState } from "./find-model.ts";

/** Opens the bar by which a text is found in the view. */
export function FindButton({ grid }: { grid: GridController }) {
  return (
    <Tooltip label={messages.find()}>
      <ToolButton
        icon={IconSearch}
        label={messages.findShort()}
        onlyIcon
        onClick={() => grid.find.open()}
      />
    </Tooltip>
  );
}

/** The bar above the rows: the text, "3 of 127", and steps through the matches. */
export function FindBar({ grid }: { grid: GridController }) {
  const { find } = grid;
  const state = useSyncExternalStore(find.subscribe, find.state);
  const input = useRef<HTMLInputElement>(null);
  const { isOpen, text, count } = state;
  useEffect(() => {
    if (isOpen) input.current?.select();
  }, [isOpen]);
  if (!isOpen) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    const isFindKey = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey);
    if (event.key === "Escape") find.close();
    else if (event.key === "Enter" && event.target === input.current)
      find.step(event.shiftKey ? -1 : 1);
    else if (isFindKey) input.current?.select();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const step = (by: 1 | -1, label: string, icon: ReactNode) => (
    <ActionIcon aria-label={label} disabled={count === 0} onClick={() => find.step(by)}>
      {icon}
    </ActionIcon>
  );
  return (
    <search className={classes.bar} aria-label={messages.bar()} onKeyDown={onKeyDown}>
      <TextInput
        ref={input}
        flex="0 100 280px"
        miw={110}
        size="xs"
        aria-label={messages.input()}
        placeholder={messages.input()}
        value={text}
        maxLength={200}
        onChange={(event) => find.setText(event.currentTarget.value)}
      />
      <Hint role="status" span miw={0} fz="xs" data-testid="find-place">
        {placeText(state)}
      </Hint>
      {state.phase === "failed" && (
        <Button variant="subtle" size="compact-xs" onClick={() => find.retry()}>
          {messages.retry()}
        </Button>
      )}
      <Group gap={0} ms="auto" wrap="nowrap">
        {step(-1, messages.previous(), <IconChevronUp size={16} />)}
        {step(1, messages.next(), <IconChevronDown size={16} />)}
        <ActionIcon aria-label={messages.close()} onClick={() => find.close()}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
    </search>
  );
}

function placeText({ text, phase, count, at, isBounded }: FindState) {
  if (text.trim() === "") return null;
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
