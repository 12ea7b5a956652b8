import { Table } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { Link } from "wouter";
import type { WebhookDelivery, WebhookInfo } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { recordName } from "../../records/change-sets/record-name.ts";
import { useLookUp } from "../../records/fields/look-up.ts";
import { recordAddress } from "../../records/record-address.ts";
import type { trailState } from "../../records/record-trail.ts";
import { useTable } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { IconButton } from "../../ui/icon-button.tsx";
import { numberCell, wideCell } from "../../ui/list-table.tsx";
import { formatAgo } from "../../ui/numbers.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { deliveryNote, deliveryTitle } from "./webhook-labels.ts";
import { WebhookStateMark } from "./webhook-state-mark.tsx";
import classes from "./webhooks.module.css";

interface Props {
  hook: WebhookInfo;
  delivery: WebhookDelivery;
  /** The records of the list. */
  trail: ReturnType<typeof trailState>;
  onChanged: () => void;
}

/** One delivery: its event, its outcome, and how to send it again. */
export function DeliveryRow({ hook, delivery, trail, onChanged }: Props) {
  const { id, record, createdAt, durationMs, kind, state } = delivery;
  const isOver = state !== "due" && state !== "retrying";
  const event = deliveryTitle(delivery);
  const name = useRecordLabel(hook.table, record);
  const replay = () =>
    rest("POST /webhooks/{id}/deliveries/{delivery}/replay", {
      params: { id: hook.id, delivery: id },
    })
      .then(() => toast(messages.replayed()), toastProblem)
      .then(onChanged);
  return (
    <Table.Tr data-delivery={id}>
      <Table.Td>
        <div className={cells.lines}>
          <span>{event}</span>
          {record !== null && hook.table !== null && (
            <Link className={cells.detail} href={recordAddress(hook.table, record)} state={trail}>
              {name}
            </Link>
          )}
        </div>
      </Table.Td>
      <Table.Td>
        <Outcome delivery={delivery} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <Ago at={createdAt} />
      </Table.Td>
      <Table.Td className={`${wideCell} ${numberCell}`}>
        {durationMs === null ? "–" : messages.milliseconds({ count: durationMs })}
      </Table.Td>
      <Table.Td ta="end">
        {hook.isMine && kind === "change" && isOver && (
          <IconButton
            label={messages.replayOf({ event: name ? `${event} ${name}` : event })}
            tooltip={messages.replay()}
            onClick={() => void replay()}
          >
            <IconRepeat size={18} />
          </IconButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** What a record is called; a deleted one by its id. */
function useRecordLabel(name: string | null, record: string | null): string | null {
  const table = useTable(name ?? "");
  const lookUp = useLookUp();
  if (!table || record === null) return record;
  return recordName(table, record, [], lookUp);
}

function Outcome({ delivery }: { delivery: WebhookDelivery }) {
  const { state, attempts, nextAt, excerpt, status } = delivery;
  const note = deliveryNote(delivery);
  const facts = [
    ...(status !== null && note === null ? [messages.answered({ status: String(status) })] : []),
    ...(attempts > 1 || (attempts > 0 && note !== null)
      ? [messages.attempts({ count: attempts })]
      : []),
    ...(state === "retrying" && nextAt ? [messages.nextAttempt({ ago: formatAgo(nextAt) })] : []),
  ];
  return (
    <div className={cells.lines}>
      <WebhookStateMark state={state} />
      {note && <span className={cells.detail}>{note}</span>}
      {facts.length > 0 && <span className={cells.detail}>{facts.join(" · ")}</span>}
      {excerpt && state !== "delivered" && <span className={classes.excerpt}>{excerpt}</span>}
    </div>
  );
}
