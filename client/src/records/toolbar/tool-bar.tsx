import { ActionIcon } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { viewMessages as messages } from "../../messages/en/views.ts";
import classes from "./toolbar.module.css";

interface Props {
  label: string;
  /** View, search and filter, which are always shown. */
  main: ReactNode;
  /** Whether there are many tools, whose names give way earlier. */
  many?: boolean;
  children: ReactNode;
}

/** The tools above rows or cards. A phone shows the main ones, and a button for the others. */
export function ToolBar({ label, main, many, children }: Props) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <div
      className={classes.bar}
      data-many={many || undefined}
      data-expanded={isExpanded || undefined}
      role="toolbar"
      aria-label={label}
    >
      {main}
      <ActionIcon
        className={classes.more ?? ""}
        size={30}
        aria-label={messages.moreTools()}
        aria-expanded={isExpanded}
        onClick={() => setExpanded(!isExpanded)}
      >
        <IconDots size={18} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      {children}
    </div>
  );
}
