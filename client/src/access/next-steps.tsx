import { Stack, Text, UnstyledButton } from "@mantine/core";
import {
  type Icon,
  IconCheck,
  IconDeviceTv,
  IconTablePlus,
  IconUserPlus,
} from "@tabler/icons-react";
import { firstMinuteMessages as messages } from "../messages/en/first-minute.ts";
import { openSheet, type Sheet } from "../state/open-sheet.ts";
import { useAccountData } from "../state/use-account.ts";
import { rest } from "../transport/rest/rest.ts";
import { useRemote } from "../ui/use-remote.ts";
import classes from "./next-steps.module.css";

/** How far the set-up of an installation has come, as far as the user may know. */
async function readProgress(mayUsers: boolean, mayDisplays: boolean) {
  const [users, displays] = await Promise.all([
    mayUsers ? rest("GET /users") : null,
    mayDisplays ? rest("GET /displays") : null,
  ]);
  return { users: users?.items.length ?? 0, displays: displays?.items.length ?? 0 };
}

/** What remains until a team works in the installation: a table, a colleague, a wall. Absent once all of it is done. */
export function NextSteps() {
  const { model, session } = useAccountData();
  const { rights } = session.abilities;
  const mayUsers = rights.includes("users");
  const mayDisplays = rights.includes("displays");
  const { data } = useRemote(() => readProgress(mayUsers, mayDisplays), {
    on: ["people", "displays", "display"],
  });
  const hasTable = model.tables.length > 0;
  const steps: StepProps[] = [
    ...(rights.includes("model")
      ? [
          {
            Icon: IconTablePlus,
            sheet: { kind: "table" } as const,
            title: messages.createTable(),
            text: messages.createTableText(),
            isDone: hasTable,
          },
        ]
      : []),
    ...(mayUsers
      ? [
          {
            Icon: IconUserPlus,
            sheet: { kind: "user" } as const,
            title: messages.invite(),
            text: messages.inviteText(),
            isDone: (data?.users ?? 0) > 1,
          },
        ]
      : []),
    ...(mayDisplays && hasTable
      ? [
          {
            Icon: IconDeviceTv,
            sheet: { kind: "display" } as const,
            title: messages.wall(),
            text: messages.wallText({ address: `${location.host}/display` }),
            isDone: (data?.displays ?? 0) > 0,
          },
        ]
      : []),
  ];
  if (!data || steps.every(({ isDone }) => isDone)) return null;
  return (
    <section aria-label={messages.next()}>
      <Text component="h2" fz="md" fw={600} mb={8}>
        {messages.next()}
      </Text>
      <Stack component="ul" gap={2} mx={-8} maw={420}>
        {steps.map((step) => (
          <Step key={step.title} {...step} />
        ))}
      </Stack>
    </section>
  );
}

interface StepProps {
  Icon: Icon;
  sheet: Sheet;
  title: string;
  text: string;
  isDone: boolean;
}

function Step({ Icon: Sign, sheet, title, text, isDone }: StepProps) {
  const Shown = isDone ? IconCheck : Sign;
  return (
    <li>
      <UnstyledButton
        className={classes.step ?? ""}
        data-done={isDone || undefined}
        onClick={() => openSheet(sheet)}
      >
        <span className={classes.icon} aria-hidden="true">
          <Shown size={16} stroke={1.7} />
        </span>
        <span className={classes.label}>
          {title}
          {isDone && <span className="wf-visually-hidden">{messages.isDone()}</span>}
          {!isDone && <span>{text}</span>}
        </span>
      </UnstyledButton>
    </li>
  );
}
