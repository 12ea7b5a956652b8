import { Button, Group, Radio, TextInput } from "@mantine/core";
import { userColours } from "../../../../shared/model/palette.ts";
import { colourMessages } from "../../messages/en/colours.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { useMe } from "../../state/use-account.ts";
import { refreshAccount } from "../../sync/calls/account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./colour-choice.module.css";
import { Part } from "./part.tsx";

/** The user's name, and the colour of their avatar and of the cell they are in. */
export function ProfilePart() {
  const me = useMe();
  const save = async (change: { name?: string; colour?: string }) => {
    await rest("PATCH /users/{id}", { params: { id: me.id }, body: change });
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

interface Props {
  value: string;
  name: string;
  onChange: (colour: string) => Promise<void>;
}

/** The user's colour, shown on their avatar as others will see it. */
function ColourChoice({ value, name, onChange }: Props) {
  const choose = (colour: string) => {
    onChange(colour).catch(toastProblem);
  };
  return (
    <Radio.Group label={messages.colour()} value={value} onChange={choose}>
      <div className={classes.colours}>
        {userColours.map((colour) => (
          <Radio.Card
            key={colour}
            value={colour}
            aria-label={colourMessages[colour]()}
            className={classes.colour}
          >
            <UserAvatar name={name} colour={colour} size={28} decorative />
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
