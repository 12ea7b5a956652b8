import { Button, Modal, Stack, TextInput } from "@mantine/core";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { createWallboard } from "../../../sync/wallboards/wallboards.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { useSubmit } from "../../../ui/use-submit.ts";

interface Props {
  opened: boolean;
  onClose(): void;
  onCreated(board: WallboardInfo): void;
}

/** Asks for a name; everything else is chosen where it can be seen. */
export function NewWallboardDialog({ opened, onClose, onCreated }: Props) {
  const { submit, busy, problem } = useSubmit(async ({ name = "" }) => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    onCreated(await createWallboard({ name, zone }));
  });
  return (
    <Modal opened={opened} onClose={onClose} title="New wallboard" size={420} padding="xl">
      <form onSubmit={submit}>
        <Stack gap="md">
          <FormProblem problem={problem} />
          <TextInput
            name="name"
            label="Name"
            description="What the room calls it: “Service desk, floor 2”."
            required
            withAsterisk={false}
            maxLength={120}
            autoComplete="off"
            data-autofocus
          />
          <Button type="submit" loading={busy}>
            Create and open the designer
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
