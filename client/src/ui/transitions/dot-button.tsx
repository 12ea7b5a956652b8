import { Button, Tooltip } from "@mantine/core";
import { useId } from "react";
import { badgeColour } from "../fields/badge-colour.ts";
import classes from "./transitions.module.css";

interface Props {
  label: string;
  /** The colour of the option that it leads to. */
  colour: string | undefined;
  /** What it does, or why it can't. */
  hint: string;
  blocked: boolean;
  /** What stands at its end, where it fills its list. */
  note?: string | undefined;
  fullWidth: boolean;
  onPick(): void;
}

/** A button that leads to an option. What can't be done stays where it is, greyed, and says why instead. */
export function DotButton({ label, colour, hint, blocked, note, fullWidth, onPick }: Props) {
  const id = useId();
  return (
    <Tooltip
      label={hint}
      disabled={fullWidth && !blocked}
      multiline
      maw={280}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        variant="default"
        size="compact-sm"
        fullWidth={fullWidth}
        justify={fullWidth ? "flex-start" : "center"}
        classNames={{ root: classes.move ?? "", label: classes.words ?? "" }}
        aria-disabled={blocked || undefined}
        aria-describedby={id}
        onClick={onPick}
        leftSection={
          <span
            className={classes.dot}
            style={{ ["--wf-badge" as string]: badgeColour(colour) }}
            aria-hidden="true"
          />
        }
      >
        {label}
        {fullWidth && note !== undefined && <span className={classes.to}>{note}</span>}
        <span id={id} className="wf-visually-hidden">
          {hint}
        </span>
      </Button>
    </Tooltip>
  );
}
