import { Button, Group, Stack } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { Notice } from "../../ui/notice.tsx";
import { type CurrentView, useCurrentView } from "./use-current-view.ts";

interface Props {
  table: Table;
  /** The panel of the record in the address; what the view shows shrinks beside it. */
  panel: ReactNode;
  /** Shown until it is known whether there is such a view. */
  waiting?: ReactNode;
  children(current: CurrentView): ReactNode;
}

/** What the view in the address shows, and the panel beside it. Says if the view does not exist, or no longer. */
export function ViewAndPanel({ table, panel, waiting, children }: Props) {
  const current = useCurrentView(table);
  return (
    <Group gap={0} align="stretch" wrap="nowrap" h="100%" mih={0}>
      <Stack gap={0} flex={1} miw={0} mih={0} style={{ container: "table / inline-size" }}>
        {current.phase === "known" && children(current)}
        {current.phase === "waiting" && waiting}
        {current.phase === "missing" && (
          <Notice icon={IconStack2} title={messages.notFound()} text={messages.notFoundText()}>
            <Button variant="light" onClick={() => current.choose(null)}>
              {messages.all({ table: table.label.toLowerCase() })}
            </Button>
          </Notice>
        )}
      </Stack>
      {panel}
    </Group>
  );
}
