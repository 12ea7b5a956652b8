import { Button, Code, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { ownZone } from "../../../../shared/filter/zone.ts";
import type { SetupCall } from "../../../../shared/protocol/session.ts";
import { setUp } from "../../sync/calls/account.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { NewPasswordInput } from "../../ui/new-password-input.tsx";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { tokenOfAddress } from "../../ui/token-of-address.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { useTitle } from "../../ui/use-title.ts";
import { TemplateCards } from "./template-cards.tsx";

/** First run: the owner and the first tables. Only the printed link opens it. */
export function SetupScreen() {
  useTitle("Set up");
  const token = tokenOfAddress(location);
  return (
    <SignInLayout
      title="Set up Watchfloor"
      wide
      lead={
        token
          ? "You will be the owner: the one who can do everything, and invite the others."
          : "This server has no owner yet."
      }
    >
      {token ? <SetupForm token={token} /> : <SetupLinkHelp />}
    </SignInLayout>
  );
}

const buttons: Record<SetupCall["template"], string> = {
  "service-desk": "Create the owner and the service desk",
  "orders-stock": "Create the owner, orders and stock",
  empty: "Create the owner",
};

function SetupForm({ token }: { token: string }) {
  const [template, setTemplate] = useState<SetupCall["template"]>("service-desk");
  const { submit, busy, problem } = useSubmit(({ email = "", name = "", password = "" }) =>
    setUp({ token, email, name, password, template, zone: ownZone() }),
  );
  const field = { size: "md", required: true, withAsterisk: false } as const;
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <FormProblem problem={problem} />
        <TextInput {...field} name="name" label="Your name" autoComplete="name" autoFocus />
        <TextInput {...field} name="email" type="email" label="Email" autoComplete="username" />
        <NewPasswordInput name="password" />
        <TemplateCards value={template} onChange={setTemplate} />
        <Button type="submit" size="md" loading={busy}>
          {buttons[template]}
        </Button>
      </Stack>
    </form>
  );
}

function SetupLinkHelp() {
  return (
    <>
      <p>
        When it started, the server printed a set-up link to its terminal or log. Open that link to
        become the owner. It looks like this:
      </p>
      <Code block>{`${location.origin}/setup#…`}</Code>
      <p>If it scrolled away, restart the server: it prints a new one.</p>
    </>
  );
}
