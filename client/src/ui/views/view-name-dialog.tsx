import { Button, Modal, Stack, Switch, TextInput } from "@mantine/core";
import { FormProblem } from "../form-problem.tsx";
import { useSubmit } from "../use-submit.ts";

interface Props {
  title: string;
  action: string;
  name: string;
  /** Offers to keep it for everybody. */
  mayShare: boolean;
  /** Offers to keep it for oneself. */
  mayOwn: boolean;
  onName(name: string, shared: boolean): Promise<void>;
  onClose(): void;
}

/** Asks what a view is called, and for whom it is. */
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
            label="Name"
            description="What it shows, in a few words: “Late at the Network group”."
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
              label="For everybody"
              description="All who may read this table see it, and what is saved in it later."
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
