import { Button } from "@mantine/core";
import { IconFilterOff, IconLock, IconRowInsertTop } from "@tabler/icons-react";
import { useCallback, useSyncExternalStore } from "react";
import { checkViewSettings } from "../../../../shared/model/view/view.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { explanationText } from "../../messages/error-text.ts";
import { isLoadFailure, NotLoaded } from "../../records/not-loaded.tsx";
import { useAtom } from "../../state/use-atom.ts";
import type { ViewQuery } from "../../sync/rows/view-query.ts";
import { Notice } from "../../ui/notice.tsx";
import { insertRecord } from "./actions/record-actions.ts";
import type { GridController } from "./grid-controller.ts";
import { useFocusToGrid } from "./rows/use-focus-to-grid.ts";
import { RowsSkeleton } from "./rows-skeleton.tsx";
import classes from "./table-view.module.css";

interface Props {
  grid: GridController;
  view: ViewQuery;
  failure: unknown;
  onClear(): void;
  /** Removes filter, search and sort order. */
  onReset(): void;
  hasHiddenGroups: boolean;
}

/** Shown instead of rows while there are none: loading, empty, no match, or refused. */
export function GridStates(props: Props) {
  const { grid, view, failure, onClear, onReset } = props;
  const status = useAtom(grid.rowList.statusAtom);
  const created = useCreatedCount(grid);
  const { table, abilities } = grid;
  const giveFocus = useFocusToGrid(grid);
  const viewError = status.phase === "refused" && viewErrorMessage(grid, view);
  if (viewError) {
    return (
      <GridOverlay>
        <Notice icon={IconFilterOff} title={messages.viewInvalid()} text={viewError}>
          <Button ref={giveFocus} variant="light" onClick={onReset}>
            {messages.showAll()}
          </Button>
        </Notice>
      </GridOverlay>
    );
  }
  const refusal = status.refusal ?? failure;
  if (status.phase === "refused") {
    return (
      <GridOverlay>
        {isLoadFailure(refusal) ? (
          <NotLoaded
            failure={refusal}
            buttonRef={giveFocus}
            onRetry={() => grid.rowList.realign()}
          />
        ) : (
          <Notice icon={IconLock} title={messages.noAccess()} text={messages.noAccessText()} />
        )}
      </GridOverlay>
    );
  }
  if (status.phase === "loading" && status.rowCount === 0) return <RowsSkeleton />;
  if (status.rowCount > 0 || created > 0 || status.phase !== "ready") return null;
  // The headings of groups are shown, whose rows are hidden.
  if (props.hasHiddenGroups) return null;
  const records = table.label.toLowerCase();
  const isFiltered = view.filter !== null || view.search !== "";
  return (
    <GridOverlay>
      {isFiltered ? (
        // Not the element of the other notice, whose button would take the place of this one.
        <Notice
          key="filtered"
          icon={IconFilterOff}
          title={messages.noMatch({ records })}
          text={messages.noMatchText()}
        >
          <Button ref={giveFocus} variant="light" onClick={onClear}>
            {messages.showAll()}
          </Button>
        </Notice>
      ) : (
        <Notice
          icon={IconRowInsertTop}
          title={messages.empty({ records })}
          text={messages.emptyText({ record: table.recordLabel })}
        >
          {abilities.create && (
            <Button onClick={() => insertRecord(grid)}>
              {messages.newRecord({ record: table.recordLabel })}
            </Button>
          )}
        </Notice>
      )}
    </GridOverlay>
  );
}

/** The number of new records above the rows. In an empty table they must not be covered. */
function useCreatedCount({ rowList }: GridController): number {
  const subscribe = useCallback((listener: () => void) => rowList.onRows(listener), [rowList]);
  return useSyncExternalStore(subscribe, () => rowList.created.length);
}

function GridOverlay({ children }: { children: React.ReactNode }) {
  return <div className={classes.cover}>{children}</div>;
}

/** Why filter or sort order don't fit the visible fields: model or rights have changed since. */
function viewErrorMessage(
  { table, fields }: GridController,
  { filter, sort }: ViewQuery,
): string | null {
  const look = { filter, sort: [...sort], columns: [], group: null };
  const problem = checkViewSettings(look, { ...table, fields: [...fields.values()] });
  return problem && explanationText(problem);
}
