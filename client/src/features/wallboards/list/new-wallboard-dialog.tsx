import { Button, Modal, Stack, TextInput } from "@mantine/core";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { wallboardsMessages as messages } from "../../../messages/en/wallboards.ts";
import { createWallboard } from "../../../sync/wallboards/wallboards.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { useSubmit } from "../../../ui/use-submit.ts";

interface Props {
  opened: boolean;
  onClose(): void;
  onCreated(board: WallboardInfo): void;
}

/** Asks for the name of a new wallboard; everything else is set in the designer. */
export function NewWallboardDialog({ opened, onClose, onCreated }: Props) {
  const { submit, busy, problem } = useSubmit(async ({ name = "" }) => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    onCreated(await createWallboard({ name, zone }));
  });
  return (
    <Modal opened={opened} onClose={onClose} title={messages.newBoard()} size={420} padding="xl">
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormProblem problem={problem} />
          <TextInput
            name="name"
            label={messages.name()}
            description={messages.nameText()}
            required
            withAsterisk={false}
            maxLength={120}
            autoComplete="off"
            data-autofocus
          />
          <Button type="submit" loading={busy}>
            {messages.create()}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
