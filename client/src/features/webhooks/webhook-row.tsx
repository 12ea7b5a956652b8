import { Table } from "@mantine/core";
import { Link } from "wouter";
import type { WebhookInfo } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { useModel } from "../../state/use-account.ts";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { wideCell } from "../../ui/list-table.tsx";
import { contentLabel, notesOf } from "./webhook-labels.ts";
import { WebhookMenu, type WebhookTask } from "./webhook-menu.tsx";
import { WebhookStateMark } from "./webhook-state-mark.tsx";
import classes from "./webhooks.module.css";

interface Props {
  hook: WebhookInfo;
  onTask: (task: WebhookTask) => void;
  onChanged: () => void;
}

/** One webhook: name and address, how it is doing, what it sends, its last delivery. */
export function WebhookRow({ hook, onTask, onChanged }: Props) {
  const model = useModel();
  const { id, name, url, last, isMine, owner } = hook;
  const author =
    owner.name === null ? messages.ofDeletedUser() : messages.ofOwner({ name: owner.name });
  return (
    <Table.Tr data-webhook={id}>
      <Table.Td>
        <div className={cells.lines}>
          <Link className={cells.title} href={`/admin/webhooks/${id}`}>
            {name}
          </Link>
          <span className={`${cells.detail} ${classes.address}`}>{url}</span>
        </div>
      </Table.Td>
      <Table.Td>
        <WebhookStatus hook={hook} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <div className={cells.lines}>
          <span>{contentLabel(hook, model)}</span>
          {!isMine && <span className={cells.detail}>{author}</span>}
        </div>
      </Table.Td>
      <Table.Td className={wideCell}>
        {last ? (
          <div className={cells.lines}>
            <Ago at={last.at} />
            {last.status !== null && (
              <span className={cells.detail}>
                {messages.answered({ status: String(last.status) })}
              </span>
            )}
          </div>
        ) : (
          <span className={cells.detail}>{messages.neverSent()}</span>
        )}
      </Table.Td>
      <Table.Td ta="end">
        <WebhookMenu hook={hook} onTask={onTask} onChanged={onChanged} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The state of a webhook with what needs attention. */
export function WebhookStatus({ hook }: { hook: WebhookInfo }) {
  const notes = notesOf(hook);
  return (
    <div className={cells.lines}>
      <WebhookStateMark state={hook.state} />
      {notes.length > 0 && <span className={cells.detail}>{notes.join(" · ")}</span>}
    </div>
  );
}
