import { Button, Checkbox, Group, Text } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react";
import { useState } from "react";
import type { SessionEntry } from "../../../../shared/protocol/account.ts";
import { describeAgent } from "../../access/describe-agent.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Ago } from "../../ui/ago.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { formatMoment } from "../../ui/numbers.ts";
import frame from "../../ui/rows.module.css";
import { toast, toastProblem } from "../../ui/toast.tsx";
import type { Remote } from "../../ui/use-remote.ts";
import { Part } from "./part.tsx";
import { Row } from "./row.tsx";

/** The user's sessions, and ending them. */
export function SessionsPart({ sessions }: { sessions: Remote<SessionEntry[]> }) {
  const { data, problem, reload } = sessions;
  const [revoke, setRevoke] = useState(false);
  const others = data?.filter(({ current }) => !current) ?? [];
  const end = (request: Promise<unknown>, message: string) =>
    request.then(() => toast(message), toastProblem).finally(reload);
  const endOthers = () =>
    rest("DELETE /me/sessions", { query: { revoke } })
      .then(({ tokens, webhooks }) => {
        const made = tokens + webhooks > 0;
        toast(made ? messages.othersEndedAndRevoked({ tokens, webhooks }) : messages.othersEnded());
      }, toastProblem)
      .finally(reload);
  return (
    <Part title={messages.sessions()} text={messages.sessionsText()}>
      <FormProblem problem={problem} focus={false} />
      <ul className={frame.rows} aria-label={messages.sessions()}>
        {data?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnd={() =>
              end(
                rest("DELETE /me/sessions/{id}", { params: { id: session.id } }),
                messages.sessionEnded(),
              )
            }
          />
        ))}
      </ul>
      {others.length > 1 && (
        <Group>
          <Button variant="default" onClick={endOthers}>
            {messages.signOutOthers()}
          </Button>
          <Checkbox
            checked={revoke}
            onChange={({ currentTarget }) => setRevoke(currentTarget.checked)}
            label={messages.revokeMade()}
          />
        </Group>
      )}
    </Part>
  );
}

function SessionRow({ session, onEnd }: { session: SessionEntry; onEnd: () => void }) {
  const { label, isPhone } = describeAgent(session.userAgent);
  const since = formatMoment(session.createdAt);
  const about = (
    <>
      {session.current ? (
        <Text component="strong" inherit c="var(--wf-live)" fw={600}>
          {messages.thisBrowser()}
        </Text>
      ) : (
        <Ago at={session.lastSeen} text={(ago) => messages.lastUsed({ ago })} />
      )}
      {" · "}
      {messages.sessionAbout({ ip: session.ip, since })}
    </>
  );
  return (
    <Row Icon={isPhone ? IconDeviceMobile : IconDeviceDesktop} name={label} about={about}>
      {!session.current && (
        <Button
          variant="default"
          size="xs"
          onClick={onEnd}
          aria-label={messages.signOutSession({ label, since })}
        >
          {messages.signOut()}
        </Button>
      )}
    </Row>
  );
}
