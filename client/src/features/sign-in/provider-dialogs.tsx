import { Button, Stack, TextInput } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { ProviderInfo } from "../../../../shared/protocol/identity-providers.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { signInMessages as messages } from "../../messages/en/sign-in.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { toast } from "../../ui/toast.tsx";
import { ProviderForm } from "./provider-form.tsx";

/** An action that opens a dialog. */
export type ProviderTask =
  | { kind: "create" }
  | { kind: "edit" | "addresses" | "remove"; provider: ProviderInfo };

interface Props {
  task: ProviderTask | null;
  roles: readonly RoleInfo[];
  onTask: (task: ProviderTask | null) => void;
  onChanged: () => void;
}

/** The dialog of the present task. What to register at a new provider is shown in a dialog that follows. */
export function ProviderDialogs({ task, roles, onTask, onChanged }: Props) {
  const close = () => onTask(null);
  if (task === null) return null;
  if (task.kind === "create" || task.kind === "edit") {
    const provider = task.kind === "edit" ? task.provider : null;
    const saved = (made: ProviderInfo) => {
      onChanged();
      toast(messages.saved(made));
      onTask(provider ? null : { kind: "addresses", provider: made });
    };
    const title = provider ? messages.editTitle(provider) : messages.connect();
    return (
      <Dialog onClose={close} title={title} size={640}>
        <ProviderForm provider={provider} roles={roles} onSaved={saved} />
      </Dialog>
    );
  }
  const { provider } = task;
  if (task.kind === "remove") {
    return (
      <ConfirmDialog
        title={messages.removeTitle(provider)}
        text={messages.removeText()}
        action={messages.remove()}
        run={async () => {
          await rest("DELETE /identity-providers/{id}", { params: { id: provider.id } });
          toast(messages.removed(provider));
          onChanged();
        }}
        onClose={close}
      />
    );
  }
  return (
    <Dialog onClose={close} title={messages.addressesTitle(provider)} size={560}>
      <Stack gap="md">
        <Address label={messages.redirectUri()} value={provider.redirectUri ?? ""} />
        <Address label={messages.afterLogout()} value={`${location.origin}/login`} />
        <Address label={messages.logoutUri()} value={provider.logoutUri ?? ""} />
        <Button onClick={close}>{messages.done()}</Button>
      </Stack>
    </Dialog>
  );
}

function Address({ label, value }: { label: string; value: string }) {
  return (
    <TextInput
      label={label}
      value={value}
      readOnly
      rightSection={
        <IconButton
          label={messages.copy({ what: label })}
          onClick={() => void copyText(value, messages.copied())}
        >
          <IconCopy size={16} />
        </IconButton>
      }
    />
  );
}
