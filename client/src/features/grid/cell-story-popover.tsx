import { StoryPopover } from "../../ui/fields/story-popover.tsx";
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

/** The story of a conflict or refusal, next to its cell. */
export function CellStoryPopover({ desk, told, onClose }: Props) {
  const view = useRecord(desk, told?.record);
  const field = told && desk.fields.get(told.field);
  if (!told || !field) return null;
  return (
    <StoryPopover
      key={`${told.record} ${told.field}`}
      element={desk.cells.find(told.record, told.field)?.element ?? desk.host}
      field={field}
      state={view?.cells[told.field]}
      lookUp={desk.labels}
      edits={desk.core.edits}
      onClose={onClose}
    />
  );
}
