import { Button } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import { useMe } from "../../state/use-account.ts";
import { requestSignOut } from "../../sync/calls/account.ts";
import { listMySessions } from "../../sync/calls/my-security.ts";
import { Page } from "../../ui/page.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { PasswordPart } from "./password-part.tsx";
import { PreferencesPart } from "./preferences-part.tsx";
import { ProfilePart } from "./profile-part.tsx";
import { SecondFactorPart } from "./second-factor-part.tsx";
import { SessionsPart } from "./sessions-part.tsx";

/** What I do elsewhere shows here within this time. */
const REFRESH_MS = 10_000;

/** What concerns only me: how others see me, how this browser looks, how I come in, leaving. */
export function MeScreen() {
  useTitle("My profile");
  const { email } = useMe();
  const sessions = useRemote(listMySessions, REFRESH_MS);
  return (
    <Page
      narrow
      title="My profile"
      lead={`Signed in as ${email}.`}
      actions={
        <Button variant="default" leftSection={<IconLogout size={16} />} onClick={requestSignOut}>
          Sign out
        </Button>
      }
    >
      <ProfilePart />
      <PreferencesPart />
      <PasswordPart onChanged={sessions.reload} />
      <SecondFactorPart />
      <SessionsPart sessions={sessions} />
    </Page>
  );
}
