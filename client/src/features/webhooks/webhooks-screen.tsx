import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { rest } from "../../transport/rest/rest.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { WebhookDialogs } from "./webhook-dialogs.tsx";
import type { WebhookTask } from "./webhook-menu.tsx";
import { WebhookPage } from "./webhook-page.tsx";
import { WebhookRow } from "./webhook-row.tsx";

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
        <ListTable
          label={messages.title()}
          columns={[messages.webhook(), messages.status()]}
          wideColumns={[messages.sends(), messages.last()]}
        >
          {data.map((hook) => (
            <WebhookRow key={hook.id} hook={hook} onTask={setTask} onChanged={reload} />
          ))}
        </ListTable>
      ) : (
        <Notice icon={IconWebhook} title={messages.none()} text={messages.noneText()}>
          {create}
        </Notice>
      )}
      <WebhookDialogs task={task} onTask={setTask} onChanged={reload} />
    </Page>
  );
}
