import { Button } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import { meMessages as messages } from "../../messages/en/me.ts";
import { useMe } from "../../state/use-account.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Page } from "../../ui/page.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { LinkedAccountsPart } from "./linked-accounts-part.tsx";
import { NotificationsPart } from "./notifications-part.tsx";
import { PasswordPart } from "./password-part.tsx";
import { PreferencesPart } from "./preferences-part.tsx";
import { ProfilePart } from "./profile-part.tsx";
import { SecondFactorPart } from "./second-factor-part.tsx";
import { SessionsPart } from "./sessions-part.tsx";
import { TokensPart } from "./tokens-part.tsx";

const readSessions = async () => (await rest("GET /me/sessions")).items;

/** The user's own settings: profile, preferences, password, second factors, sessions, API tokens. */
export function MeScreen() {
  useTitle(messages.title());
  const { email } = useMe();
  const sessions = useRemote(readSessions, { on: ["account"] });
  return (
    <Page
      narrow
      title={messages.title()}
      lead={messages.lead({ email })}
      actions={
        <Button variant="default" leftSection={<IconLogout size={16} />} onClick={requestSignOut}>
          {messages.signOut()}
        </Button>
      }
    >
      <ProfilePart />
      <PreferencesPart />
      <NotificationsPart />
      <PasswordPart onChanged={sessions.reload} />
      <SecondFactorPart />
      <LinkedAccountsPart />
      <SessionsPart sessions={sessions} />
      <TokensPart />
    </Page>
  );
}
