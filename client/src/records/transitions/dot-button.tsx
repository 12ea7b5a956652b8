import { Button, Tooltip } from "@mantine/core";
import { useId } from "react";
import { Hint } from "../../ui/texts.ts";
import { badgeColour } from "../fields/badge-colour.ts";
import classes from "./transitions.module.css";

interface Props {
  label: string;
  /** The colour of its option. */
  colour: string | undefined;
  /** What it does, or why it is disabled. */
  hint: string;
  blocked: boolean;
  /** Shown at the end of a full-width button. */
  note?: string | undefined;
  fullWidth: boolean;
  onPick(): void;
}

/** A button with the dot of an option. A disabled one stays focusable and says why it is disabled. */
export function DotButton({ label, colour, hint, blocked, note, fullWidth, onPick }: Props) {
  const id = useId();
  return (
    <Tooltip label={hint} disabled={fullWidth && !blocked} multiline maw={280}>
      <Button
        variant="default"
        size="compact-sm"
        fullWidth={fullWidth}
        justify={fullWidth ? "flex-start" : "center"}
        classNames={{ root: classes.button ?? "", label: classes.label ?? "" }}
        aria-disabled={blocked || undefined}
        aria-describedby={id}
        // The first click of two may have put another button in this place.
        onClick={({ detail }) => detail < 2 && onPick()}
        leftSection={
          <span
            className={classes.dot}
            style={{ ["--wf-badge" as string]: badgeColour(colour) }}
            aria-hidden="true"
          />
        }
      >
        {label}
        {fullWidth && note !== undefined && (
          <Hint span ms="auto" ps={16} fz="xs" fw={440}>
            {note}
          </Hint>
        )}
        <span id={id} className="wf-visually-hidden">
          {hint}
        </span>
      </Button>
    </Tooltip>
  );
}
