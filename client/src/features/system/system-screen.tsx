import { Button, Stack } from "@mantine/core";
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCopy } from "@tabler/icons-react";
import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { systemMessages as messages } from "../../messages/en/system.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Callout } from "../../ui/callout.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Page } from "../../ui/page.tsx";
import { ScreenSkeleton } from "../../ui/screen-skeleton.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useRepeat } from "../../ui/use-repeat.ts";
import { useTitle } from "../../ui/use-title.ts";
import { SystemFacts } from "./system-facts.tsx";
import { systemProblems } from "./system-problems.ts";
import { ErrorTable, FeedTable, MailTable, ServerTable, StatementTable } from "./system-tables.tsx";

/** The values change all the time. */
const REFRESH_MS = 5_000;

/** The state of the installation: what needs attention, then servers, database, queues, log, statements, errors. */
export function SystemScreen() {
  useTitle(messages.title());
  const { data, problem, reload } = useRemote(() => rest("GET /system"));
  useRepeat(reload, REFRESH_MS);
  if (!data) return problem ? <FormProblem problem={problem} focus={false} /> : <ScreenSkeleton />;
  const { version, modelVersion } = data;
  return (
    <Page
      title={messages.title()}
      lead={messages.lead({ version, model: String(modelVersion) })}
      actions={
        <Button
          variant="default"
          leftSection={<IconCopy size={16} stroke={1.7} />}
          onClick={() => void copyText(JSON.stringify(data, null, 2), messages.copied())}
        >
          {messages.copy()}
        </Button>
      }
      problem={problem}
    >
      <Attention system={data} />
      <ServerTable nodes={data.nodes} />
      <SystemFacts system={data} />
      <MailTable mails={data.mail.recent} />
      <FeedTable feeds={data.feeds} others={data.otherFeeds} />
      <StatementTable slow={data.slow} />
      <ErrorTable errors={data.errors} now={data.now} />
    </Page>
  );
}

function Attention({ system }: { system: SystemInfo }) {
  const problems = systemProblems(system);
  if (problems.length === 0) {
    return (
      <Callout component="p" mb={24} bg="none" bd="1px solid var(--wf-line)" fz="md">
        <IconCircleCheckFilled size={18} color="var(--wf-live)" aria-hidden="true" />
        {messages.allWell()}
      </Callout>
    );
  }
  return (
    <Callout
      component="section"
      align="flex-start"
      mb={24}
      fz="md"
      aria-label={messages.attention()}
    >
      <IconAlertTriangleFilled size={18} color="var(--wf-warn)" aria-hidden="true" />
      <Stack component="ul" gap={4}>
        {problems.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </Stack>
    </Callout>
  );
}
