import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconPlus } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import classes from "./groups.module.css";

export interface ListedGroup {
  key: Json;
  name: string;
  label: ReactNode;
  count: string;
  /** The summaries of the columns. */
  details: readonly string[];
  isHidden: boolean;
  mayAdd: boolean;
}

interface Props {
  groups: readonly ListedGroup[];
  onGo(index: number): void;
  onToggle(key: Json): void;
  onAdd(key: Json): void;
}

/** One stop for Tab: arrows move between the groups, left hides and right shows the rows of one. */
export function GroupList({ groups, onGo, onToggle, onAdd }: Props) {
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const stop = Math.min(current, groups.length - 1);
  const focus = (index: number) => {
    const to = Math.max(0, Math.min(groups.length - 1, index));
    setCurrent(to);
    list.current?.children[to]?.querySelector<HTMLElement>("[data-go]")?.focus();
  };
  const onKey = (event: KeyboardEvent, index: number, { key, isHidden }: ListedGroup) => {
    const moves: Record<string, () => void> = {
      ArrowUp: () => focus(index - 1),
      ArrowDown: () => focus(index + 1),
      Home: () => focus(0),
      End: () => focus(groups.length - 1),
      ArrowLeft: () => !isHidden && onToggle(key),
      ArrowRight: () => isHidden && onToggle(key),
    };
    if (!Object.hasOwn(moves, event.key)) return;
    event.preventDefault();
    moves[event.key]?.();
  };
  return (
    <ul ref={list} className={classes.list}>
      {groups.map((group, index) => (
        <Group
          key={JSON.stringify(group.key)}
          group={group}
          tabIndex={index === stop ? 0 : -1}
          onFocus={() => setCurrent(index)}
          onKey={(event) => onKey(event, index, group)}
          onGo={() => onGo(index)}
          onToggle={() => onToggle(group.key)}
          onAdd={() => onAdd(group.key)}
        />
      ))}
    </ul>
  );
}

interface GroupProps {
  group: ListedGroup;
  tabIndex: 0 | -1;
  onFocus(): void;
  onKey(event: KeyboardEvent): void;
  onGo(): void;
  onToggle(): void;
  onAdd(): void;
}

function Group({ group, tabIndex, onFocus, onKey, onGo, onToggle, onAdd }: GroupProps) {
  const { name, count, details, isHidden } = group;
  const Chevron = isHidden ? IconChevronRight : IconChevronDown;
  return (
    <li className={classes.group} data-hidden={isHidden || undefined}>
      <ActionIcon
        size="sm"
        tabIndex={-1}
        aria-expanded={!isHidden}
        aria-label={messages.rowsOfGroup({ group: name })}
        onClick={onToggle}
      >
        <Chevron size={15} />
      </ActionIcon>
      <UnstyledButton
        className={classes.go ?? ""}
        data-go=""
        tabIndex={tabIndex}
        onFocus={onFocus}
        onKeyDown={onKey}
        onClick={onGo}
      >
        <span className={classes.line}>
          <span className={classes.label}>{group.label}</span>{" "}
          <span className={classes.count}>{count}</span>
        </span>
        {details.map((text) => (
          <span key={text} className={classes.detail}>
            {` ${text}`}
          </span>
        ))}
      </UnstyledButton>
      {group.mayAdd && (
        <ActionIcon
          size="sm"
          tabIndex={tabIndex}
          aria-label={messages.newInGroup({ group: name })}
          onClick={onAdd}
        >
          <IconPlus size={15} />
        </ActionIcon>
      )}
    </li>
  );
}
