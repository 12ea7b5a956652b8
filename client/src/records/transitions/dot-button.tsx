import { Button } from "@mantine/core";
import { type MouseEvent, useId } from "react";
import { ButtonTooltip } from "../../ui/button-tooltip.tsx";
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
  primary?: boolean | undefined;
  onPick(): void;
}

type Click = Pick<MouseEvent, "detail" | "timeStamp" | "clientX" | "clientY">;

/** Two clicks within this time and distance are one double click or double tap. */
const DOUBLE_MS = 500;
const DOUBLE_PX = 24;
let latest = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 };

/** The first of two clicks may have put another button in its place. The browser's own count begins anew with each button. */
export function isSecondClick({ detail, timeStamp: at, clientX: x, clientY: y }: Click): boolean {
  const former = latest;
  // A key has no place.
  if (detail === 0) return false;
  latest = { at, x, y };
  const isNear = Math.abs(x - former.x) < DOUBLE_PX && Math.abs(y - former.y) < DOUBLE_PX;
  return isNear && at - former.at < DOUBLE_MS;
}

/** A button with the dot of an option. A disabled one stays focusable and says why it is disabled. */
export function DotButton(props: Props) {
  const { label, colour, hint, blocked, note, fullWidth, primary = false, onPick } = props;
  const id = useId();
  return (
    <ButtonTooltip label={hint} disabled={fullWidth && !blocked} multiline maw={280}>
      <Button
        variant={primary && !blocked ? "filled" : "default"}
        size="compact-sm"
        fullWidth={fullWidth}
        justify={fullWidth ? "flex-start" : "center"}
        classNames={{ root: classes.button ?? "", label: classes.label ?? "" }}
        aria-disabled={blocked || undefined}
        aria-describedby={id}
        onClick={(event) => !isSecondClick(event) && onPick()}
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
          <Hint span ms="auto" ps={16} fz="xs" fw={400}>
            {note}
          </Hint>
        )}
        <span id={id} className="wf-visually-hidden">
          {hint}
        </span>
      </Button>
    </ButtonTooltip>
  );
}
