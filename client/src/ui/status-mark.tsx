import type { Icon } from "@tabler/icons-react";
import classes from "./cells.module.css";

type StatusTone = "good" | "warn" | "bad" | "quiet" | "plain";

const colours: Record<StatusTone, string> = {
  good: "var(--wf-live)",
  warn: "var(--wf-warn)",
  bad: "var(--wf-bad)",
  quiet: "var(--wf-text-dim)",
  plain: "currentColor",
};

interface Props {
  tone: StatusTone;
  icon: Icon;
  label: string;
}

/** A status by icon and word, so that colour is never alone. */
export function StatusMark({ tone, icon: Icon, label }: Props) {
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon size={16} color={colours[tone]} aria-hidden="true" />
      <span>{label}</span>
    </span>
  );
}
