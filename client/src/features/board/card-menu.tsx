import { movesOf } from "../../../../shared/policy/possible-transitions.ts";
import type { RecordView } from "../../state/record-view.ts";
import { MoveList } from "../../ui/moves/move-list.tsx";
import { OptionList } from "../../ui/moves/option-list.tsx";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import { type BoardRules, whyNotSet } from "./drop-on.ts";
import { columnLabel, columnOf } from "./grouping.ts";
import type { CardDeeds } from "./use-card-deeds.ts";

/** A card beside which something stands open, and the element of it. */
export interface OpenCard {
  record: string;
  element: HTMLElement;
}

interface Props {
  rules: BoardRules;
  open: OpenCard | null;
  view: RecordView | undefined;
  deeds: CardDeeds;
  onClose(): void;
}

/** Where a card can go, as a menu: what dragging is to the mouse, this is to the keyboard and finger. */
export function CardMenu({ rules, open, view, deeds, onClose }: Props) {
  if (!open || !view) return null;
  const { table, grouping } = rules;
  const { field, isState, values } = grouping;
  const choices = values.map((value) => ({
    value,
    label: columnLabel(field, value),
    colour: field.options?.find((option) => option.value === value)?.colour,
    why: whyNotSet(view, value, rules),
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
          <MoveList
            table={table}
            field={field}
            moves={movesOf(table, view, deeds.mover)}
            column
            onPick={(move) => {
              close();
              deeds.move(view, move);
            }}
          />
        ) : (
          <OptionList
            label={field.label}
            choices={choices}
            current={columnOf(grouping, view.values)}
            onPick={(value) => {
              close();
              deeds.set(view, value);
            }}
          />
        )
      }
    </PopoverBeside>
  );
}
