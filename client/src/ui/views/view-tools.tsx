import type { Table } from "../../../../shared/model/model.ts";
import type { ViewLook } from "../../../../shared/model/view/view.ts";
import { useAbilities } from "../../state/use-account.ts";
import type { LookUp } from "../fields/look-up.ts";
import type { CurrentView } from "./use-current-view.ts";
import { useViewDeeds } from "./use-view-deeds.ts";
import { ViewConflictDialog } from "./view-conflict-dialog.tsx";
import { ViewMenu } from "./view-menu.tsx";

interface Props {
  table: Table;
  current: CurrentView;
  /** What is on the screen now, as far as the screen shows it. */
  shown: Partial<ViewLook>;
  lookUp: LookUp;
  /** Forgets what was changed on top of the view. */
  onClear(): void;
}

/** The views of a table, and what can be done with the one that is shown. */
export function ViewTools({ table, current, shown, lookUp, onClear }: Props) {
  const deeds = useViewDeeds({ table, current, shown, onClear });
  const { rights, tables } = useAbilities();
  return (
    <>
      <ViewMenu
        label={table.label}
        current={current}
        deeds={deeds}
        mayKeep={tables[table.name]?.views ?? false}
        mayShare={rights.includes("sharedViews")}
        onClear={onClear}
      />
      {current.view && deeds.clashes && (
        <ViewConflictDialog
          view={current.view}
          table={table}
          lookUp={lookUp}
          clashes={deeds.clashes}
          onMine={() => void deeds.saveOver()}
          onTheirs={deeds.takeTheirs}
          onClose={deeds.closeClashes}
        />
      )}
    </>
  );
}
