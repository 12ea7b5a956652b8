import { Switch } from "@mantine/core";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";

interface Props {
  title: string;
  action: string;
  name: string;
  /** Offers to share it. */
  mayShare: boolean;
  /** Offers to keep it private. */
  mayOwn: boolean;
  onName(name: string, shared: boolean): Promise<void>;
  onClose(): void;
}

/** Asks for the name of a view, and whether to share it. */
export function ViewNameDialog(props: Props) {
  const { title, action, name, mayShare, mayOwn, onName, onClose } = props;
  const send = (typed: Record<string, string>) =>
    onName((typed.name ?? "").trim(), typed.shared === "on" || !mayOwn);
  return (
    <Dialog onClose={onClose} title={title} size={420}>
      <SubmitForm send={send} onDone={onClose} action={action}>
        <NameInput
          label={messages.name()}
          description={messages.nameHint()}
          defaultValue={name}
          maxLength={80}
        />
        {mayShare && mayOwn && (
          <Switch name="shared" label={messages.shareSwitch()} description={messages.shareHint()} />
        )}
      </SubmitForm>
    </Dialog>
  );
}
