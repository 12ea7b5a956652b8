import { useEffect } from "react";
import { transitionOptions } from "../../../../shared/policy/possible-transitions.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { OptionList } from "../../records/transitions/option-list.tsx";
import { TransitionList } from "../../records/transitions/transition-list.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import { type BoardRules, setBlockedReason } from "./evaluate-drop.ts";
import { columnLabel, columnOf } from "./grouping.ts";
import type { CardActions } from "./use-card-actions.ts";
import type { OpenCard } from "./use-card-popover.ts";

interface Props {
  rules: BoardRules;
  open: OpenCard | null;
  view: RecordView | undefined;
  cardActions: CardActions;
  onClose(): void;
}

/** The transitions or options of a card, as a menu: the alternative to dragging for keyboard and touch. */
export function CardMenu({ rules, open, view, cardActions, onClose }: Props) {
  const isGone = !view || view.mark === "deleted";
  useEffect(() => {
    if (open && isGone) onClose();
  }, [open, isGone, onClose]);
  if (!open || isGone) return null;
  const { table, grouping } = rules;
  const { field, isState, values } = grouping;
  const choices = values.map((value) => ({
    value,
    label: columnLabel(field, value),
    colour: field.options?.find((option) => option.value === value)?.colour,
    reason: setBlockedReason(view, value, rules),
  }));
  return (
    <PopoverBeside
      element={() => open.element}
      label={
        isState
          ? messages.transitions({ field: field.label })
          : messages.options({ field: field.label })
      }
      position="bottom-end"
      onClose={onClose}
    >
      {(close) =>
        isState ? (
          <TransitionList
            table={table}
            field={field}
            options={transitionOptions(table, view, cardActions.author)}
            column
            onPick={(candidate) => {
              close();
              cardActions.transition(view, candidate);
            }}
          />
        ) : (
          <OptionList
            label={field.label}
            choices={choices}
            current={columnOf(grouping, view.values)}
            onPick={(value) => {
              close();
              cardActions.set(view, value);
            }}
          />
        )
      }
    </PopoverBeside>
  );
}
