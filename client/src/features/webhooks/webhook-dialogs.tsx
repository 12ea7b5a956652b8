import { Text } from "@mantine/core";
import { webhooksMessages as messages } from "../../messages/en/webhooks.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast } from "../../ui/toast.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import type { WebhookTask } from "./webhook-menu.tsx";

interface Props {
  task: WebhookTask | null;
  onTask: (task: WebhookTask | null) => void;
  onChanged: () => void;
  onRemoved?: () => void;
}

/** The dialog of the present task. A new secret is shown once, in a dialog that follows. */
export function WebhookDialogs({ task, onTask, onChanged, onRemoved }: Props) {
  const close = () => onTask(null);
  const showSecret = ({ name, secret }: { name: string; secret: string }) => {
    onChanged();
    onTask({ kind: "secret", name, secret });
  };
  if (task === null) return null;
  switch (task.kind) {
    case "create":
    case "edit": {
      const hook = task.kind === "edit" ? task.hook : null;
      const title = hook ? messages.editTitle(hook) : messages.newWebhook();
      return (
        <Dialog onClose={close} title={title} size={640}>
          <WebhookForm hook={hook} onCreated={showSecret} onSaved={onChanged} onClose={close} />
        </Dialog>
      );
    }
    case "secret":
      return (
        <Dialog
          onClose={close}
          closeOnClickOutside={false}
          closeOnEscape={false}
          title={messages.secretTitle(task)}
          size={520}
        >
          <OneTimeSecret
            label={messages.secret()}
            text={messages.secretText()}
            secret={task.secret}
            copyLabel={messages.copySecret()}
            onDone={close}
          />
        </Dialog>
      );
    case "replaceSecret":
      return (
        <Dialog onClose={close} title={messages.replaceTitle(task.hook)} size={440}>
          <SubmitForm
            action={messages.replaceAction()}
            send={async () => {
              const params = { id: task.hook.id };
              showSecret(await rest("POST /webhooks/{id}/rotate-secret", { params }));
            }}
          >
            <Text c="dimmed">{messages.replaceText()}</Text>
          </SubmitForm>
        </Dialog>
      );
    case "remove":
      return (
        <ConfirmDialog
          title={messages.removeTitle(task.hook)}
          text={messages.removeText()}
          action={messages.removeAction()}
          run={async () => {
            await rest("DELETE /webhooks/{id}", { params: { id: task.hook.id } });
            toast(messages.removed(task.hook));
            (onRemoved ?? onChanged)();
          }}
          onClose={close}
        />
      );
  }
}
