import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "wouter";
import type { WebhookInfo } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { useModel } from "../../state/use-account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { WebhookDialogs } from "./webhook-dialogs.tsx";
import { contentLabel } from "./webhook-labels.ts";
import { WebhookMenu, type WebhookTask } from "./webhook-menu.tsx";
import { WebhookPage } from "./webhook-page.tsx";
import { WebhookStatus } from "./webhook-state-mark.tsx";
import classes from "./webhooks.module.css";

/** The webhooks; with the id of one, its own page. */
export function WebhooksScreen({ id }: { id: string | undefined }) {
  return id === undefined ? <WebhookList /> : <WebhookPage key={id} id={id} />;
}

const listWebhooks = async () => (await rest("GET /webhooks")).items;

function WebhookList() {
  useTitle(messages.title());
  const { data, problem, reload } = useRemote(listWebhooks, { on: ["webhooks"] });
  const [task, setTask] = useState<WebhookTask | null>(null);
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const create = (
    <AddButton onClick={() => setTask({ kind: "create" })}>{messages.newWebhook()}</AddButton>
  );
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={data.length > 0 && create}
      problem={problem}
    >
      {data.length > 0 ? (
        <ResourceList
          label={messages.title()}
          items={data}
          keyOf={({ id }) => id}
          columns={[
            { name: messages.webhook(), cell: (hook) => <NameCell hook={hook} /> },
            { name: messages.status(), cell: (hook) => <WebhookStatus hook={hook} /> },
            { name: messages.sends(), wide: true, cell: (hook) => <ContentCell hook={hook} /> },
            { name: messages.last(), wide: true, cell: (hook) => <LastCell hook={hook} /> },
          ]}
          actions={(hook) => <WebhookMenu hook={hook} onTask={setTask} onChanged={reload} />}
        />
      ) : (
        <Notice icon={IconWebhook} title={messages.none()} text={messages.noneText()}>
          {create}
        </Notice>
      )}
      <WebhookDialogs task={task} onTask={setTask} onChanged={reload} />
    </Page>
  );
}

function NameCell({ hook: { id, name, url } }: { hook: WebhookInfo }) {
  return (
    <div className={cells.lines}>
      <Link className={cells.title} href={`/admin/webhooks/${id}`}>
        {name}
      </Link>
      <span className={`${cells.detail} ${classes.address}`}>{url}</span>
    </div>
  );
}

function ContentCell({ hook }: { hook: WebhookInfo }) {
  const model = useModel();
  const { isMine, owner } = hook;
  const author =
    owner.name === null ? messages.ofDeletedUser() : messages.ofOwner({ name: owner.name });
  return (
    <div className={cells.lines}>
      <span>{contentLabel(hook, model)}</span>
      {!isMine && <span className={cells.detail}>{author}</span>}
    </div>
  );
}

function LastCell({ hook: { last } }: { hook: WebhookInfo }) {
  if (!last) return <span className={cells.detail}>{messages.neverSent()}</span>;
  return (
    <div className={cells.lines}>
      <Ago at={last.at} />
      {last.status !== null && (
        <span className={cells.detail}>{messages.answered({ status: String(last.status) })}</span>
      )}
    </div>
  );
}
