import { Button, Tooltip } from "@mantine/core";
import { useId } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import type { Move } from "../../../../shared/policy/possible-transitions.ts";
import { badgeColour } from "../fields/badge-colour.ts";
import { optionLabel } from "../fields/format-value.ts";
import classes from "./moves.module.css";

interface Props {
  move: Move;
  /** The state field: for colour and name of the state that the move leads to. */
  field: Field;
  onPick(move: Move): void;
  fullWidth?: boolean;
}

/** One move. What can't be run stays where it is, greyed, and says why instead. */
export function MoveButton({ move, field, onPick, fullWidth = false }: Props) {
  const id = useId();
  const { transition, obstacle } = move;
  const colour = field.options?.find(({ value }) => value === transition.to)?.colour;
  const to = optionLabel(field, transition.to);
  const hint = obstacle?.message ?? `Moves to ${to}`;
  return (
    <Tooltip
      label={hint}
      disabled={fullWidth && !obstacle}
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
        aria-disabled={obstacle ? true : undefined}
        aria-describedby={id}
        onClick={() => onPick(move)}
        leftSection={
          <span
            className={classes.dot}
            style={{ ["--wf-badge" as string]: badgeColour(colour) }}
            aria-hidden="true"
          />
        }
      >
        {transition.label}
        {fullWidth && <span className={classes.to}>{to}</span>}
        <span id={id} className="wf-visually-hidden">
          {hint}
        </span>
      </Button>
    </Tooltip>
  );
}
