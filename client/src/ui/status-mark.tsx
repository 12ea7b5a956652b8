import type { Icon } from "@tabler/icons-react";
import classes from "./cells.module.css";

export type StatusTone = "good" | "warn" | "bad" | "quiet" | "plain";

interface Props {
  tone: StatusTone;
  icon: Icon;
  label: string;
}

/** A status by icon and word, so that colour is never alone. */
export function StatusMark({ tone, icon: Icon, label }: Props) {
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon size={16} aria-hidden="true" />
      {label}
    </span>
  );
}
