import type { Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { useAbilities } from "../../state/use-account.ts";
import type { LookUp } from "../fields/look-up.ts";
import type { CurrentView } from "./use-current-view.ts";
import { useViewActions } from "./use-view-actions.ts";
import { ViewConflictDialog } from "./view-conflict-dialog.tsx";
import { ViewMenu } from "./view-menu.tsx";

interface Props {
  table: Table;
  current: CurrentView;
  /** What is on the screen now, as far as the screen shows it. */
  shown: Partial<ViewSettings>;
  lookUp: LookUp;
  /** Forgets what was changed on top of the view. */
  onClear(): void;
}

/** The views of a table, and what can be done with the one that is shown. */
export function ViewTools({ table, current, shown, lookUp, onClear }: Props) {
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
        onClear={onClear}
      />
      {current.view && actions.conflicts && (
        <ViewConflictDialog
          view={current.view}
          table={table}
          lookUp={lookUp}
          conflicts={actions.conflicts}
          onMine={() => void actions.overwrite()}
          onTheirs={actions.takeTheirs}
          onClose={actions.closeConflicts}
        />
      )}
    </>
  );
}
