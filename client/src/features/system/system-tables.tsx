import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { systemMessages as messages } from "../../messages/en/system.ts";
import { formatAgo, formatBytes, formatCount, formatMoment } from "../../ui/numbers.ts";
import { ResourceList } from "../../ui/resource-list.tsx";
import classes from "./system.module.css";
import { placeLabels } from "./system-problems.ts";

type Node = SystemInfo["nodes"][number];

/** The servers; this one is the first. */
export function ServerTable({ nodes }: { nodes: readonly Node[] }) {
  return (
    <Part title={messages.servers()}>
      <ResourceList
        label={messages.servers()}
        items={nodes}
        keyOf={({ id }) => id}
        columns={[
          { name: messages.server(), cell: (node) => <ServerCell node={node} /> },
          {
            name: messages.connections(),
            number: true,
            cell: ({ connections }) => formatCount(connections),
          },
          { name: messages.lag(), number: true, cell: ({ lag }) => formatCount(lag) },
          {
            name: messages.waiting(),
            number: true,
            wide: true,
            cell: (node) => formatCount(node.waitingMutations),
          },
          {
            name: messages.memory(),
            number: true,
            wide: true,
            cell: ({ memoryBytes }) => formatBytes(memoryBytes),
          },
          {
            name: messages.loopDelay(),
            number: true,
            wide: true,
            cell: ({ loopDelayMs }) => milliseconds(loopDelayMs),
          },
          { name: messages.disks(), wide: true, cell: (node) => <DisksCell node={node} /> },
        ]}
      />
    </Part>
  );
}

function ServerCell({ node }: { node: Node }) {
  const role = node.isLeader ? messages.leader() : messages.follower();
  const started = messages.startedAgo({ ago: formatAgo(node.startedAt) });
  return (
    <>
      <div>{node.isThis ? messages.thisServer({ host: node.host }) : node.host}</div>
      <div className={classes.more} title={formatMoment(node.startedAt)}>
        {[role, node.version, started].join(" · ")}
      </div>
    </>
  );
}

function DisksCell({ node: { disks } }: { node: Node }) {
  if (disks.length === 0) return <span className={classes.more}>{messages.noDisk()}</span>;
  return disks.map(({ place, freeBytes, totalBytes }) => (
    <div key={place}>
      {messages.diskFree({
        place: placeLabels[place](),
        free: formatBytes(freeBytes),
        total: formatBytes(totalBytes),
      })}
    </div>
  ));
}

/** The mails that were not sent yet, or not at all. */
export function MailTable({ mails }: { mails: SystemInfo["mail"]["recent"] }) {
  if (mails.length === 0) return null;
  return (
    <Part title={messages.mails()}>
      <ResourceList
        label={messages.mails()}
        items={mails}
        keyOf={({ id }) => id}
        columns={[
          {
            name: messages.mailTo(),
            cell: ({ user, type }) => (
              <>
                <div dir="auto">{user}</div>
                <div className={classes.more}>{mailTypes[type]?.() ?? type}</div>
              </>
            ),
          },
          {
            name: messages.mailState(),
            cell: ({ state, nextAt }) =>
              state === "given_up"
                ? messages.mailStateGivenUp()
                : messages.mailStateOpen({ at: nextAt === null ? "—" : formatMoment(nextAt) }),
          },
          {
            name: messages.mailAttempts(),
            number: true,
            cell: ({ attempts }) => formatCount(attempts),
          },
          {
            name: messages.mailAnswer(),
            wide: true,
            cell: ({ excerpt, error }) => <span dir="auto">{excerpt ?? error ?? "—"}</span>,
          },
        ]}
      />
    </Part>
  );
}

const mailTypes: Readonly<Record<string, () => string>> = {
  invitation: messages.mailInvitation,
  password_reset: messages.mailReset,
  notifications: messages.mailNotifications,
  digest: messages.mailDigest,
};

/** The feeds of the tables that the user may read. */
export function FeedTable({ feeds, others }: { feeds: SystemInfo["feeds"]; others: number }) {
  return (
    <Part
      title={messages.feeds()}
      text={others > 0 ? messages.otherFeeds({ count: others }) : undefined}
      empty={feeds.length === 0 && others === 0 ? messages.noFeeds() : undefined}
    >
      {feeds.length > 0 && (
        <ResourceList
          label={messages.feeds()}
          items={feeds}
          keyOf={({ table }) => table}
          columns={[
            { name: messages.table(), cell: ({ label }) => label },
            { name: messages.head(), number: true, cell: ({ head }) => formatCount(head) },
            { name: messages.lag(), number: true, cell: ({ lag }) => formatCount(lag) },
            {
              name: messages.retained(),
              number: true,
              wide: true,
              cell: ({ retained }) => formatCount(retained),
            },
          ]}
        />
      )}
    </Part>
  );
}

/** The statements that took most time in all. */
export function StatementTable({ slow }: { slow: SystemInfo["slow"] }) {
  return (
    <Part
      title={messages.slow()}
      text={messages.slowText()}
      empty={slow.length === 0 ? messages.noSlow() : undefined}
    >
      <ResourceList
        label={messages.slow()}
        items={slow}
        keyOf={({ text }, index) => text ?? String(index)}
        columns={[
          { name: messages.statement(), cell: ({ text }) => <StatementText text={text} /> },
          { name: messages.calls(), number: true, cell: ({ calls }) => formatCount(calls) },
          { name: messages.mean(), number: true, cell: ({ meanMs }) => milliseconds(meanMs) },
          {
            name: messages.max(),
            number: true,
            wide: true,
            cell: ({ maxMs }) => milliseconds(maxMs),
          },
        ]}
      />
    </Part>
  );
}

function StatementText({ text }: { text: string | null }) {
  if (text === null) return <span className={classes.more}>{messages.hiddenText()}</span>;
  return <code className={classes.statement}>{text}</code>;
}

/** How often something was refused, by code. */
export function ErrorTable({ errors, now }: { errors: SystemInfo["errors"]; now: string }) {
  return (
    <Part
      title={messages.errors()}
      text={messages.errorsText()}
      empty={errors.length === 0 ? messages.noErrors() : undefined}
    >
      <ResourceList
        label={messages.errors()}
        items={errors}
        keyOf={({ code }) => code}
        columns={[
          { name: messages.code(), cell: ({ code }) => <code>{code}</code> },
          { name: messages.count(), number: true, cell: ({ count }) => formatCount(count) },
          {
            name: messages.lastAt(),
            cell: ({ lastAt }) => (
              <span title={formatMoment(lastAt)}>{formatAgo(lastAt, Date.parse(now))}</span>
            ),
          },
        ]}
      />
    </Part>
  );
}

function milliseconds(count: number): string {
  return messages.milliseconds({ count: formatCount(count) });
}

interface PartProps {
  title: string;
  text?: string | undefined;
  /** Shown instead of the content. */
  empty?: string | undefined;
  children: ReactNode;
}

function Part({ title, text, empty, children }: PartProps) {
  return (
    <Box mb={28}>
      <Text component="h2" mb={8} fz="lg" fw={600}>
        {title}
      </Text>
      {empty === undefined && text !== undefined && <p className={classes.more}>{text}</p>}
      {empty === undefined ? children : <p className={classes.more}>{empty}</p>}
    </Box>
  );
}
