import { useEffect } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { CellStory } from "../../ui/fields/cell-story.tsx";
import { PopoverBeside } from "../../ui/popover-beside.tsx";
import type { OpenCard } from "./card-menu.tsx";

interface Props {
  field: Field;
  open: OpenCard | null;
  view: RecordView | undefined;
  onClose(): void;
}

/** The story of a conflict or refusal beside its card; when there is nothing left to decide it closes. */
export function CardStory({ field, open, view, onClose }: Props) {
  const state = view?.cells[field.name];
  const settled = open !== null && (!state || state.kind === "pending");
  useEffect(() => {
    if (settled) onClose();
  }, [settled, onClose]);
  if (!open || !state || settled) return null;
  const { edits } = pageCore();
  return (
    <PopoverBeside
      element={open.element}
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
            lookUp={pageLabels()}
            onResolve={(choice) => then(() => edits.resolve(state.edit, field.name, choice))()}
            onRetry={then(() => edits.retry(state.edit))}
            onDrop={then(() => edits.drop(state.edit, field.name))}
          />
        );
      }}
    </PopoverBeside>
  );
}
