import { transitionOptions } from "../../../../shared/policy/possible-transitions.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { OptionList } from "../../records/transitions/option-list.tsx";
import { TransitionList } from "../../records/transitions/transition-list.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import { type BoardRules, setBlockedReason } from "./evaluate-drop.ts";
import { columnLabel, columnOf } from "./grouping.ts";
import type { CardActions } from "./use-card-actions.ts";

/** A card with an open popover, and its element. */
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

/** The transitions or options of a card, as a menu: the alternative to dragging for keyboard and touch. */
export function CardMenu({ rules, open, view, cardActions, onClose }: Props) {
  if (!open || !view) return null;
  const { element } = open;
  const closeMenu = () => {
    onClose();
    element.focus();
  };
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
      element={element}
      label={
        isState
          ? messages.transitions({ field: field.label })
          : messages.options({ field: field.label })
      }
      position="bottom-end"
      onClose={closeMenu}
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
