import { Menu } from "@mantine/core";
import { useLocation } from "wouter";
import type { WebhookInfo } from "../../../../shared/protocol/webhooks.ts";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { toast, toastFailure, toastProblem } from "../../ui/toast.tsx";
import { deliveryNote } from "./webhook-labels.ts";

/** An action that opens a dialog. */
export type WebhookTask =
  | { kind: "create" }
  | { kind: "edit" | "replaceSecret" | "remove"; hook: WebhookInfo }
  | { kind: "secret"; name: string; secret: string };

interface Props {
  hook: WebhookInfo;
  onTask: (task: WebhookTask) => void;
  onChanged: () => void;
  /** The page of the webhook itself has no link to it. */
  isPage?: boolean;
}

/** The actions for a webhook. Only its owner may change or test it. */
export function WebhookMenu({ hook, onTask, onChanged, isPage = false }: Props) {
  const [, navigate] = useLocation();
  const { id, name, state, isMine } = hook;
  const run = (to: "pause" | "resume", message: string) =>
    rest(`POST /webhooks/{id}/${to}`, { params: { id } })
      .then(() => toast(message), toastProblem)
      .then(onChanged);
  return (
    <ActionsMenu label={messages.actionsFor({ name })} width={230}>
      {!isPage && (
        <Menu.Item onClick={() => navigate(`/admin/webhooks/${id}`)}>
          {messages.viewDeliveries()}
        </Menu.Item>
      )}
      {isMine && (
        <Menu.Item onClick={() => void sendTest(hook).catch(toastProblem).then(onChanged)}>
          {messages.test()}
        </Menu.Item>
      )}
      {state === "missed" && (
        <Menu.Item onClick={() => run("resume", messages.dismissedDone({ name }))}>
          {messages.dismiss()}
        </Menu.Item>
      )}
      {state === "paused" ? (
        <Menu.Item onClick={() => run("resume", messages.resumedDone({ name }))}>
          {messages.resume()}
        </Menu.Item>
      ) : (
        <Menu.Item onClick={() => run("pause", messages.pausedDone({ name }))}>
          {messages.pause()}
        </Menu.Item>
      )}
      <Menu.Divider />
      {isMine && (
        <>
          <Menu.Item onClick={() => onTask({ kind: "edit", hook })}>{messages.edit()}</Menu.Item>
          <Menu.Item onClick={() => onTask({ kind: "replaceSecret", hook })}>
            {messages.replaceSecret()}
          </Menu.Item>
        </>
      )}
      <Menu.Item color="var(--wf-bad)" onClick={() => onTask({ kind: "remove", hook })}>
        {messages.remove()}
      </Menu.Item>
    </ActionsMenu>
  );
}

/** Sends a test event and shows its outcome. */
async function sendTest({ id }: WebhookInfo): Promise<void> {
  const sent = await rest("POST /webhooks/{id}/test", { params: { id } });
  const duration = sent.durationMs ?? 0;
  if (sent.state === "delivered")
    toast(messages.testDelivered({ status: String(sent.status), duration }));
  else toastFailure(messages.testFailed({ reason: deliveryNote(sent) ?? "" }));
}
