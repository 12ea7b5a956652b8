import { Button, Group } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import type { WebhookDelivery, WebhookInfo } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { trailState } from "../../records/record-trail.ts";
import { useModel } from "../../state/use-account.ts";
import { useNameScreen } from "../../state/use-screen-title.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import cells from "../../ui/cells.module.css";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { Hint } from "../../ui/texts.ts";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useGoOn } from "../../ui/use-go-on.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { EventCell, Outcome, Replay } from "./delivery-cells.tsx";
import { WebhookDialogs } from "./webhook-dialogs.tsx";
import { contentLabel } from "./webhook-labels.ts";
import { WebhookMenu, type WebhookTask } from "./webhook-menu.tsx";
import { WebhookStatus } from "./webhook-state-mark.tsx";

const PAGE_DELIVERIES = 50;
const MAX_DELIVERIES = 200;

/** One webhook: how it is doing, and its deliveries, the newest first. */
export function WebhookPage({ id }: { id: string }) {
  const [limit, setLimit] = useState(PAGE_DELIVERIES);
  const load = async () => {
    const [hook, deliveries] = await Promise.all([
      rest("GET /webhooks/{id}", { params: { id } }),
      rest("GET /webhooks/{id}/deliveries", { params: { id }, query: { limit } }),
    ]);
    return { hook, deliveries };
  };
  const { data, problem, reload } = useRemote(load, { on: ["webhooks"], key: String(limit) });
  const [task, setTask] = useState<WebhookTask | null>(null);
  const goOn = useGoOn();
  useTitle(data?.hook.name ?? messages.title());
  useNameScreen(`/admin/webhooks/${id}`, data?.hook.name ?? null);
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const { hook, deliveries } = data;
  return (
    <Page
      title={hook.name}
      lead={hook.url}
      actions={<WebhookMenu hook={hook} onTask={setTask} onChanged={reload} isPage />}
      problem={problem}
    >
      <Summary hook={hook} />
      <Deliveries hook={hook} {...deliveries} onChanged={reload} />
      {deliveries.items.length < Math.min(deliveries.total, MAX_DELIVERIES) && (
        <Group mt="md">
          <Button variant="default" onClick={() => setLimit(MAX_DELIVERIES)}>
            {messages.showMore()}
          </Button>
        </Group>
      )}
      <WebhookDialogs
        task={task}
        onTask={setTask}
        onChanged={reload}
        onRemoved={() => goOn("/admin/webhooks")}
      />
    </Page>
  );
}

function Summary({ hook }: { hook: WebhookInfo }) {
  const model = useModel();
  const parts = [
    contentLabel(hook, model),
    ...(hook.isMine && hook.filter ? [messages.filtered()] : []),
    ...(hook.isMine
      ? [hook.fields ? messages.fieldCount({ count: hook.fields.length }) : messages.everyField()]
      : []),
  ];
  return (
    <div className={cells.lines}>
      <WebhookStatus hook={hook} />
      <span className={cells.detail}>{parts.join(" · ")}</span>
    </div>
  );
}

interface DeliveriesProps {
  hook: WebhookInfo;
  items: readonly WebhookDelivery[];
  total: number;
  onChanged: () => void;
}

function Deliveries({ hook, items, total, onChanged }: DeliveriesProps) {
  useLabelUpdates();
  if (items.length === 0) {
    return (
      <Notice
        icon={IconWebhook}
        title={messages.noDeliveries()}
        text={messages.noDeliveriesText()}
      />
    );
  }
  const { table } = hook;
  const trail = trailState(
    items.flatMap(({ record }) => (table !== null && record !== null ? { table, record } : [])),
  );
  return (
    <>
      <Hint my={12} fz="md" role="status">
        {messages.countOf({ shown: items.length, total })}
      </Hint>
      <ResourceList
        label={messages.deliveries()}
        items={items}
        keyOf={({ id }) => id}
        columns={[
          {
            name: messages.event(),
            cell: (delivery) => <EventCell {...{ hook, delivery, trail }} />,
          },
          { name: messages.outcome(), cell: (delivery) => <Outcome delivery={delivery} /> },
          { name: messages.time(), wide: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
          {
            name: messages.duration(),
            wide: true,
            number: true,
            cell: ({ durationMs }) =>
              durationMs === null ? "–" : messages.milliseconds({ count: durationMs }),
          },
        ]}
        actions={(delivery) => <Replay {...{ hook, delivery, onChanged }} />}
      />
    </>
  );
}
