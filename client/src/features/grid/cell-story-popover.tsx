import { useEffect } from "react";
import { CellStory } from "../../ui/fields/cell-story.tsx";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import type { Desk } from "./desk.ts";
import { useRecord } from "./use-record.ts";

/** The cell whose story is told. */
export interface ToldCell {
  record: string;
  field: string;
}

interface Props {
  desk: Desk;
  told: ToldCell | null;
  onClose(): void;
}

/**
 * The story of a conflict or refusal, next to its cell. It stays true while it is open: when theirs
 * changes again it shows the newer value, when there is nothing left to decide it closes.
 */
export function CellStoryPopover({ desk, told, onClose }: Props) {
  const view = useRecord(desk, told?.record);
  const state = told ? view?.cells[told.field] : undefined;
  const field = told && desk.fields.get(told.field);
  const settled = told !== null && (!state || state.kind === "pending");
  useEffect(() => {
    if (settled) onClose();
  }, [settled, onClose]);
  if (!told || !state || !field) return null;
  const cell = desk.cells.find(told.record, told.field)?.element;
  const { edits } = desk.core;
  return (
    <PopoverBeside
      element={cell ?? desk.host}
      label={`${field.label}: what became of my change`}
      position="bottom-start"
      withArrow
      onClose={onClose}
    >
      {(close) => {
        const then = (act: () => void) => () => {
          act();
          close();
        };
        return (
          <CellStory
            field={field}
            state={state}
            lookUp={desk.labels}
            onResolve={(choice) => then(() => edits.resolve(state.edit, field.name, choice))()}
            onRetry={then(() => edits.retry(state.edit))}
            onDrop={then(() => edits.drop(state.edit, field.name))}
          />
        );
      }}
    </PopoverBeside>
  );
}
