import { transitionOptions } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import { OptionList } from "../../ui/transitions/option-list.tsx";
import { TransitionList } from "../../ui/transitions/transition-list.tsx";
import { type BoardRules, setBlockedReason } from "./evaluate-drop.ts";
import { columnLabel, columnOf } from "./grouping.ts";
import type { CardActions } from "./use-card-actions.ts";

/** A card beside which something stands open, and the element of it. */
export interface OpenCard {
  record: string;
  element: HTMLElement;
}

interface Props {
  rules: BoardRules;
  open: OpenCard | null;
  view: RecordView | undefined;
  cardActions: CardActions;
  onClose(): void;
}

/** Where a card can go, as a menu: what dragging is to the mouse, this is to the keyboard and finger. */
export function CardMenu({ rules, open, view, cardActions, onClose }: Props) {
  if (!open || !view) return null;
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
      element={open.element}
      label={`${field.label}: ${isState ? "possible moves" : "options"}`}
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
