import { Group, NativeSelect, Switch, Text } from "@mantine/core";
import { ownZone } from "../../../../shared/filter/zone.ts";
import type { Answer } from "../../../../shared/protocol/contract.ts";
import {
  type ChangeNotificationsCall,
  type InboxCause,
  inboxCauses,
  type MailWhen,
} from "../../../../shared/protocol/inbox.ts";
import { inboxMessages as messages } from "../../messages/en/inbox.ts";
import { rest } from "../../transport/rest/rest.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Hint } from "../../ui/texts.ts";
import { toastProblem } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { zoneText } from "../../ui/zone-text.ts";
import { Part } from "./part.tsx";

type Settings = Answer<"GET /me/notifications">;

const causeTexts: Record<InboxCause, () => string> = {
  mention: messages.mentionText,
  assignment: messages.assignmentText,
  watch: messages.watchText,
  changeSet: messages.changeSetText,
};
const mailTexts: Record<MailWhen, () => string> = {
  now: messages.now,
  daily: messages.daily,
  off: messages.off,
};
const HOURS = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
const NIGHT = { from: "20:00", to: "07:00" };

/** Of what the user is notified, and how. Each change is stored at once. */
export function NotificationsPart() {
  const { data, problem, reload } = useRemote(() => rest("GET /me/notifications"));
  const save = (body: ChangeNotificationsCall) =>
    rest("PUT /me/notifications", { body: { ...body, zone: ownZone() } })
      .catch(toastProblem)
      .finally(reload);
  return (
    <Part title={messages.notifications()} text={messages.notificationsText()}>
      <FormProblem problem={problem} focus={false} />
      {data?.mailOff && (
        <Hint>{data.mailOff === "no_public_url" ? messages.noPublicUrl() : messages.noMail()}</Hint>
      )}
      {data && inboxCauses.map((cause) => <Cause key={cause} {...{ cause, data, save }} />)}
      {data && !data.mailOff && <Quiet {...{ data, save }} />}
    </Part>
  );
}

interface Props {
  data: Settings;
  save(call: ChangeNotificationsCall): void;
}

function Cause({ cause, data, save }: Props & { cause: InboxCause }) {
  const own = data[cause];
  const label = causeTexts[cause]();
  return (
    <Group gap="8px 24px" justify="space-between">
      <Text flex="1 1 180px">{label}</Text>
      <Group gap={16} wrap="nowrap">
        <Switch
          label={messages.inbox()}
          aria-label={messages.inInbox({ cause: label })}
          checked={own.inbox}
          onChange={(event) => save({ [cause]: { ...own, inbox: event.currentTarget.checked } })}
        />
        {!data.mailOff && (
          <NativeSelect
            aria-label={messages.byMail({ cause: label })}
            value={own.mail}
            data={Object.entries(mailTexts).map(([value, text]) => ({ value, label: text() }))}
            onChange={(event) =>
              save({ [cause]: { ...own, mail: event.currentTarget.value as MailWhen } })
            }
          />
        )}
      </Group>
    </Group>
  );
}

function Quiet({ data: { quiet, zone }, save }: Props) {
  const hours = (name: "from" | "to", label: string) =>
    quiet && (
      <NativeSelect
        aria-label={label}
        value={quiet[name]}
        data={[...new Set([...HOURS, quiet[name]])].sort()}
        onChange={(event) => save({ quiet: { ...quiet, [name]: event.currentTarget.value } })}
      />
    );
  return (
    <Group gap="8px 24px" justify="space-between">
      <Switch
        label={messages.quiet()}
        description={messages.quietText({ zone: zoneText(zone) })}
        checked={quiet !== null}
        onChange={(event) => save({ quiet: event.currentTarget.checked ? NIGHT : null })}
      />
      {quiet && (
        <Group gap={8} wrap="nowrap">
          {hours("from", messages.quietFrom())}–{hours("to", messages.quietTo())}
        </Group>
      )}
    </Group>
  );
}
