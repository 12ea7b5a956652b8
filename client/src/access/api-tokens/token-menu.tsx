import { Menu } from "@mantine/core";
import { useState } from "react";
import type { ApiTokenInfo } from "../../../../shared/protocol/api-tokens.ts";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast } from "../../ui/toast.tsx";

interface Props {
  token: ApiTokenInfo;
  onChanged: () => void;
}

/** The actions for an API token, and their dialogs. */
export function TokenMenu(props: Props) {
  const { name, id } = props.token;
  const [task, setTask] = useState<"rename" | "revoke" | null>(null);
  const close = () => setTask(null);
  return (
    <>
      <ActionsMenu label={messages.actionsFor({ name })} width={180}>
        <Menu.Item onClick={() => setTask("rename")}>{messages.renameItem()}</Menu.Item>
        <Menu.Item color="var(--wf-bad)" onClick={() => setTask("revoke")}>
          {messages.revokeItem()}
        </Menu.Item>
      </ActionsMenu>
      {task === "rename" && <RenameDialog {...props} onClose={close} />}
      {task === "revoke" && (
        <ConfirmDialog
          title={messages.revokeTitle({ name })}
          text={messages.revokeText()}
          action={messages.revoke()}
          run={async () => {
            await rest("DELETE /tokens/{id}", { params: { id } });
            toast(messages.revoked({ name }));
            props.onChanged();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function RenameDialog({ token, onChanged, onClose }: Props & { onClose: () => void }) {
  const send = async ({ name = "" }: Record<string, string>) => {
    await rest("PATCH /tokens/{id}", { params: { id: token.id }, body: { name } });
    toast(messages.renamed({ name }));
    onChanged();
  };
  return (
    <Dialog onClose={onClose} title={messages.renameTitle({ name: token.name })} size={440}>
      <SubmitForm send={send} onDone={onClose} action={messages.rename()}>
        <NameInput
          label={messages.name()}
          description={messages.nameText()}
          defaultValue={token.name}
        />
      </SubmitForm>
    </Dialog>
  );
}
