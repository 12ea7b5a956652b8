import type { Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { useAbilities } from "../../state/use-account.ts";
import type { CurrentView } from "./use-current-view.ts";
import { useViewActions } from "./use-view-actions.ts";
import { ViewConflictDialog } from "./view-conflict-dialog.tsx";
import type { ViewPart } from "./view-edits.ts";
import { ViewMenu } from "./view-menu.tsx";

interface Props {
  table: Table;
  current: CurrentView;
  /** The settings on the screen, as far as the screen has them. */
  shown: Partial<ViewSettings>;
  /** Discards the unsaved changes, or only those of some parts. */
  onClear(parts?: readonly ViewPart[]): void;
}

/** The views of a table and the actions for the current one. */
export function ViewTools({ table, current, shown, onClear }: Props) {
  const actions = useViewActions({ table, current, shown, onClear });
  const { rights, tables } = useAbilities();
  return (
    <>
      <ViewMenu
        label={table.label}
        current={current}
        actions={actions}
        mayOwn={tables[table.name]?.views ?? false}
        mayShare={rights.includes("sharedViews")}
        onClear={() => onClear()}
      />
      {current.view && actions.conflicts && (
        <ViewConflictDialog
          view={current.view}
          table={table}
          conflicts={actions.conflicts}
          onMine={() => void actions.overwrite()}
          onTheirs={actions.takeTheirs}
          onClose={actions.closeConflicts}
        />
      )}
    </>
  );
}
