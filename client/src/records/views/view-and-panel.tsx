import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { widePanelAtom } from "../../state/preferences.ts";
import { useAtom } from "../../state/use-atom.ts";
import { Notice } from "../../ui/notice.tsx";
import { type CurrentView, useCurrentView } from "./use-current-view.ts";
import classes from "./views.module.css";

/** Marks the element whose width a table and the panel of a record share. */
export const TABLE_PLACE = "data-table-place";

interface Props {
  table: Table;
  /** The panel of the record in the address. What the view shows keeps its tools as they are, and ends beside it where there is space. */
  panel: ReactNode;
  /** Shown until it is known whether there is such a view. */
  waiting?: ReactNode;
  children(current: CurrentView): ReactNode;
}

/** What the view in the address shows, and the panel beside it. Says if the view does not exist, or no longer. */
export function ViewAndPanel({ table, panel, waiting, children }: Props) {
  const current = useCurrentView(table);
  const isWide = useAtom(widePanelAtom);
  // Not `:has()` in the style sheet: whatever is put into the rows would have all of them matched again.
  const open = isWide ? "wide" : "";
  return (
    <div className={classes.split} data-panel={panel ? open : undefined}>
      <div className={classes.main} {...{ [TABLE_PLACE]: "" }}>
        {current.phase === "known" && children(current)}
        {current.phase === "waiting" && waiting}
        {current.phase === "missing" && (
          <Notice icon={IconStack2} title={messages.notFound()} text={messages.notFoundText()}>
            <Button variant="light" onClick={() => current.choose(null)}>
              {messages.all({ table: table.label.toLowerCase() })}
            </Button>
          </Notice>
        )}
      </div>
      {panel}
    </div>
  );
}
