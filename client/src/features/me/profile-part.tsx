import { Button, Group, TextInput } from "@mantine/core";
import { useMe } from "../../state/use-account.ts";
import { refreshAccount } from "../../sync/calls/account.ts";
import { changeUser } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { ColourChoice } from "./colour-choice.tsx";
import { Part } from "./part.tsx";

/** How others see me: my name, and the colour of my avatar and of the cell that I am in. */
export function ProfilePart() {
  const me = useMe();
  const save = async (change: { name?: string; colour?: string }) => {
    await changeUser(me.id, change);
    await refreshAccount();
  };
  const { submit, busy, problem } = useSubmit(async ({ name = "" }) => {
    await save({ name });
    toast("Your name is saved.");
  });
  return (
    <Part title="Profile" text="How others see you in tables, history and comments.">
      <FormProblem problem={problem} />
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            name="name"
            label="Name"
            defaultValue={me.name}
            required
            withAsterisk={false}
            maxLength={120}
            flex={1}
            autoComplete="name"
          />
          <Button type="submit" variant="default" loading={busy}>
            Save
          </Button>
        </Group>
      </form>
      <ColourChoice value={me.colour} name={me.name} onChange={(colour) => save({ colour })} />
    </Part>
  );
}
