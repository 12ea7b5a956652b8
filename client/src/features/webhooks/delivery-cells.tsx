import { IconRepeat } from "@tabler/icons-react";
import { Link } from "wouter";
import type { WebhookDelivery, WebhookInfo } from "../../../../shared/protocol/webhooks.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { recordName } from "../../records/change-sets/record-name.ts";
import { useLookUp } from "../../records/fields/look-up.ts";
import type { trailState } from "../../records/record-trail.ts";
import { useTable } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import cells from "../../ui/cells.module.css";
import { IconButton } from "../../ui/icon-button.tsx";
import { formatAgo } from "../../ui/numbers.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { deliveryNote, deliveryTitle } from "./webhook-labels.ts";
import { WebhookStateMark } from "./webhook-state-mark.tsx";
import classes from "./webhooks.module.css";

interface Props {
  hook: WebhookInfo;
  delivery: WebhookDelivery;
}

/** What happened, and the record. `trail`: the records of the list. */
export function EventCell(props: Props & { trail: ReturnType<typeof trailState> }) {
  const { hook, delivery, trail } = props;
  const { record } = delivery;
  const name = useRecordLabel(hook.table, record);
  return (
    <div className={cells.lines}>
      <span>{deliveryTitle(delivery)}</span>
      {record !== null && hook.table !== null && (
        <Link className={cells.detail} href={recordAddress(hook.table, record)} state={trail}>
          {name}
        </Link>
      )}
    </div>
  );
}

/** Sends it again. */
export function Replay({ hook, delivery, onChanged }: Props & { onChanged: () => void }) {
  const { id, kind, state, record } = delivery;
  const name = useRecordLabel(hook.table, record);
  const isOver = state !== "due" && state !== "retrying";
  if (!hook.isMine || kind !== "change" || !isOver) return null;
  const event = deliveryTitle(delivery);
  const replay = () =>
    rest("POST /webhooks/{id}/deliveries/{delivery}/replay", {
      params: { id: hook.id, delivery: id },
    })
      .then(() => toast(messages.replayed()), toastProblem)
      .then(onChanged);
  return (
    <IconButton
      label={messages.replayOf({ event: name ? `${event} ${name}` : event })}
      tooltip={messages.replay()}
      onClick={() => void replay()}
    >
      <IconRepeat size={18} />
    </IconButton>
  );
}

/** What a record is called; a deleted one by its id. */
function useRecordLabel(name: string | null, record: string | null): string | null {
  const table = useTable(name ?? "");
  const lookUp = useLookUp();
  if (!table || record === null) return record;
  return recordName(table, record, [], lookUp);
}

/** How it went. */
export function Outcome({ delivery }: { delivery: WebhookDelivery }) {
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
