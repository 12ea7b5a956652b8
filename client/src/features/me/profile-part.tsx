import { Button, Group, TextInput } from "@mantine/core";
import { meMessages as messages } from "../../messages/en/me.ts";
import { useMe } from "../../state/use-account.ts";
import { refreshAccount } from "../../sync/calls/account.ts";
import { changeUser } from "../../sync/calls/users.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { toast } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { ColourChoice } from "./colour-choice.tsx";
import { Part } from "./part.tsx";

/** The user's name, and the colour of their avatar and of the cell they are in. */
export function ProfilePart() {
  const me = useMe();
  const save = async (change: { name?: string; colour?: string }) => {
    await changeUser(me.id, change);
    await refreshAccount();
  };
  const { submit, busy, problem } = useSubmit(async ({ name = "" }) => {
    await save({ name });
    toast(messages.nameSaved());
  });
  return (
    <Part title={messages.profile()} text={messages.profileText()}>
      <FormProblem problem={problem} />
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            name="name"
            label={messages.name()}
            defaultValue={me.name}
            required
            withAsterisk={false}
            maxLength={120}
            flex={1}
            autoComplete="name"
          />
          <Button type="submit" variant="default" loading={busy}>
            {messages.save()}
          </Button>
        </Group>
      </form>
      <ColourChoice value={me.colour} name={me.name} onChange={(colour) => save({ colour })} />
    </Part>
  );
}
