import { Button } from "@mantine/core";
import { IconCloudOff, IconFilterOff, IconLock, IconRowInsertTop } from "@tabler/icons-react";
import { useCallback, useSyncExternalStore } from "react";
import { checkViewSettings } from "../../../../shared/model/view/view.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { uiMessages } from "../../messages/en/ui.ts";
import { explanationText } from "../../messages/error-text.ts";
import { useAtom } from "../../state/use-atom.ts";
import type { ViewQuery } from "../../sync/window/record-window.ts";
import { Notice } from "../../ui/notice.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { insertRecord } from "./actions/record-actions.ts";
import type { GridController } from "./grid-controller.ts";
import { useGiveFocus } from "./rows/use-give-focus.ts";
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
  const status = useAtom(grid.window.statusAtom);
  const created = useCreatedCount(grid);
  const { table, abilities } = grid;
  const giveFocus = useGiveFocus(grid);
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
  if (status.phase === "refused") {
    return (
      <GridOverlay>
        <Refused failure={status.refusal ?? failure} onRetry={() => grid.window.realign()} />
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

/** Why the rows can't be read: there is no right to, or the server failed, such as by a query that took too long. */
function Refused({ failure, onRetry }: { failure: unknown; onRetry(): void }) {
  const isFailure =
    failure instanceof Refusal && failure.code !== "forbidden" && failure.code !== "not_found";
  if (!isFailure) {
    return <Notice icon={IconLock} title={messages.noAccess()} text={messages.noAccessText()} />;
  }
  return (
    <Notice icon={IconCloudOff} title={messages.notLoaded()} text={problemText(failure)}>
      <Button onClick={onRetry}>{uiMessages.tryAgain()}</Button>
    </Notice>
  );
}

/** The number of new records above the rows. In an empty table they must not be covered. */
function useCreatedCount({ window }: GridController): number {
  const subscribe = useCallback((listener: () => void) => window.onRows(listener), [window]);
  return useSyncExternalStore(subscribe, () => window.created.length);
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
