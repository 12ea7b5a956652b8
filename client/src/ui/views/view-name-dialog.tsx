import { Button, Modal, Stack, Switch, TextInput } from "@mantine/core";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { FormProblem } from "../form-problem.tsx";
import { useSubmit } from "../use-submit.ts";

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
  const { submit, busy, problem } = useSubmit(async (typed) => {
    await onName((typed.name ?? "").trim(), typed.shared === "on" || !mayOwn);
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={title} size={420} padding="xl">
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormProblem problem={problem} />
          <TextInput
            name="name"
            label={messages.name()}
            description={messages.nameHint()}
            defaultValue={name}
            required
            withAsterisk={false}
            maxLength={80}
            autoComplete="off"
            data-autofocus
          />
          {mayShare && mayOwn && (
            <Switch
              name="shared"
              label={messages.shareSwitch()}
              description={messages.shareHint()}
            />
          )}
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
