import { Button, Group, Text } from "@mantine/core";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { useAbilities } from "../../../state/use-account.ts";
import type { WallboardView } from "../../../state/wallboard-state.ts";
import { AlertShape } from "../../../tiles/parts/alert-mark.tsx";
import { formatAgo } from "../../../ui/numbers.ts";
import { toastProblem } from "../../../ui/toast.tsx";
import "../../../tiles/tiles.css";
import { rest } from "../../../transport/rest/rest.ts";
import { Dim } from "../../../ui/texts.ts";
import { unacknowledgedAlerts } from "./unacknowledged-alerts.ts";

/** The unacknowledged alerts of a wallboard. Acknowledging one applies to all its screens. */
export function AlertStrip({ id, view }: { id: string; view: WallboardView }) {
  const alerts =
    view.board && view.phase === "live" ? unacknowledgedAlerts(view.board, view.tiles) : [];
  const { tables } = useAbilities();
  const mayAcknowledge = Object.values(tables).some(({ acknowledge }) => acknowledge);
  if (alerts.length === 0) return null;
  return (
    <Group
      component="ul"
      className="wf-tiles"
      gap={8}
      align="stretch"
      flex="none"
      aria-label={messages.alerts()}
    >
      {alerts.map(({ call, where, alert }) => (
        <Group
          component="li"
          key={`${call.tile} ${String(call.row)}`}
          gap={8}
          wrap="nowrap"
          miw={0}
          p="4px 6px 4px 10px"
          bd="1px solid var(--wf-line)"
          bdrs="md"
          bg="var(--wf-panel)"
          fz="sm"
        >
          <Group
            component="span"
            gap={5}
            wrap="nowrap"
            c="var(--tile-alert)"
            data-colour={alert.colour}
          >
            <AlertShape colour={alert.colour} />
            <strong>{alert.word}</strong>
          </Group>
          <Text span inherit truncate>
            {where}
          </Text>
          <Dim textWrap="nowrap">{formatAgo(alert.since)}</Dim>
          {mayAcknowledge && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={messages.acknowledgeAlert({ alert: alert.word, where })}
              onClick={() =>
                void rest("POST /wallboards/{id}/acknowledgements", {
                  params: { id },
                  body: call,
                }).catch(toastProblem)
              }
            >
              {messages.acknowledge()}
            </Button>
          )}
        </Group>
      ))}
    </Group>
  );
}
