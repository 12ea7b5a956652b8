import { Button } from "@mantine/core";
import { IconFilterOff, IconLock, IconRowInsertTop } from "@tabler/icons-react";
import { useCallback, useSyncExternalStore } from "react";
import { checkViewSettings } from "../../../../shared/model/view/view.ts";
import { useAtom } from "../../state/use-atom.ts";
import type { ViewQuery } from "../../sync/window/record-window.ts";
import { Notice } from "../../ui/notice.tsx";
import { insertRecord } from "./actions/record-actions.ts";
import type { GridController } from "./grid-controller.ts";
import { RowsSkeleton } from "./rows-skeleton.tsx";
import classes from "./table-view.module.css";

interface Props {
  grid: GridController;
  view: ViewQuery;
  failure: unknown;
  onClear(): void;
  /** Neither filter nor search, in the table's own order. */
  onReset(): void;
}

/** What stands in the place of the rows while there are none: loading, empty, no match, refused. */
export function GridStates({ grid, view, failure, onClear, onReset }: Props) {
  const status = useAtom(grid.window.statusAtom);
  const created = useCreatedCount(grid);
  const { table, abilities } = grid;
  const viewError = status.phase === "refused" && viewErrorMessage(grid, view);
  if (viewError) {
    return (
      <GridOverlay>
        <Notice
          icon={<IconFilterOff size={28} stroke={1.5} />}
          title="This can’t be shown"
          text={viewError}
        >
          <Button variant="light" onClick={onReset}>
            Show everything
          </Button>
        </Notice>
      </GridOverlay>
    );
  }
  if (status.phase === "refused") {
    return (
      <GridOverlay>
        <Notice
          icon={<IconLock size={28} stroke={1.5} />}
          title="These records are not shown to you"
          text={
            messageOf(failure) ?? "The right to read this table is missing. An owner can grant it."
          }
        />
      </GridOverlay>
    );
  }
  if (status.phase === "loading" && status.rowCount === 0) return <RowsSkeleton />;
  if (status.rowCount > 0 || created > 0 || status.phase !== "ready") return null;
  const isFiltered = view.filter !== null || view.search !== "";
  return (
    <GridOverlay>
      {isFiltered ? (
        <Notice
          icon={<IconFilterOff size={28} stroke={1.5} />}
          title={`No ${table.recordLabel} matches`}
          text="Nothing fits this filter and search. New records that fit will show here at once."
        >
          <Button variant="light" onClick={onClear}>
            Show everything
          </Button>
        </Notice>
      ) : (
        <Notice
          icon={<IconRowInsertTop size={28} stroke={1.5} />}
          title={`No ${table.label.toLowerCase()} yet`}
          text={`Add the first ${table.recordLabel}, or paste rows from a spreadsheet after adding one.`}
        >
          {abilities.create && (
            <Button onClick={() => insertRecord(grid)}>New {table.recordLabel}</Button>
          )}
        </Notice>
      )}
    </GridOverlay>
  );
}

/** How many new records of mine stand above the rows: the first of an empty table must not be covered. */
function useCreatedCount({ window }: GridController): number {
  const subscribe = useCallback((listener: () => void) => window.onRows(listener), [window]);
  return useSyncExternalStore(subscribe, () => window.created.length);
}

function GridOverlay({ children }: { children: React.ReactNode }) {
  return <div className={classes.cover}>{children}</div>;
}

/** What of filter and order the table has not, as I see it: a model or a right has changed since they were made. */
function viewErrorMessage(
  { table, fields }: GridController,
  { filter, sort }: ViewQuery,
): string | null {
  const look = { filter, sort: [...sort], columns: [], group: null };
  return checkViewSettings(look, { ...table, fields: [...fields.values()] })?.message ?? null;
}

function messageOf(failure: unknown): string | null {
  return failure instanceof Error ? failure.message : null;
}
