import { Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { systemMessages as messages } from "../../messages/en/system.ts";
import { formatAgo, formatBytes, formatCount } from "../../ui/numbers.ts";
import classes from "./system.module.css";

const stateLabels = {
  alone: messages.messagesAlone,
  live: messages.messagesLive,
  degraded: messages.messagesDegraded,
};

type Fact = readonly [name: string, value: ReactNode];

/** Database, queues and the last backup, each as a short list. */
export function SystemFacts({ system }: { system: SystemInfo }) {
  const { database, queues, messages: state } = system;
  const { connections, maxConnections } = database;
  const used = { count: formatCount(connections), max: formatCount(maxConnections) };
  return (
    <div className={classes.facts}>
      <FactList
        title={messages.database()}
        facts={[
          [messages.postgres(), database.version],
          [messages.size(), formatBytes(database.sizeBytes)],
          [messages.connections(), messages.ofMax(used)],
          [messages.messages(), stateLabels[state]()],
        ]}
      />
      <FactList
        title={messages.queues()}
        facts={[
          [messages.waiting(), formatCount(queues.waitingMutations)],
          [messages.applyingChangeSets(), formatCount(queues.applyingChangeSets)],
          [messages.openDeliveries(), formatCount(queues.openDeliveries)],
          [messages.failedDeliveries(), formatCount(queues.failedDeliveries)],
          [messages.pausedWebhooks(), formatCount(queues.pausedWebhooks)],
        ]}
      />
      <FactList title={messages.backup()} facts={backupFacts(system)} />
      <FactList title={messages.mail()} facts={mailFacts(system)} />
    </div>
  );
}

function mailFacts({ mail, now }: SystemInfo): Fact[] {
  const { off, open, givenUp, lastSentAt } = mail;
  if (off) {
    const why = off === "no_public_url" ? messages.mailNoPublicUrl() : messages.mailOff();
    return [[messages.backupState(), why]];
  }
  return [
    [messages.mailOpen(), formatCount(open)],
    [messages.mailGivenUp(), formatCount(givenUp)],
    [
      messages.mailLast(),
      lastSentAt === null ? messages.mailNone() : formatAgo(lastSentAt, Date.parse(now)),
    ],
  ];
}

function backupFacts({ backup, now }: SystemInfo): Fact[] {
  if (backup === null) return [[messages.backupState(), messages.backupOff()]];
  const { succeededAt, bytes, seconds, failed } = backup;
  const good = succeededAt === null ? messages.backupNone() : messages.backupOk();
  const facts: Fact[] = [[messages.backupState(), failed ? messages.backupBad() : good]];
  if (succeededAt !== null) {
    facts.push([messages.backupMade(), formatAgo(succeededAt, Date.parse(now))]);
  }
  if (bytes !== null) facts.push([messages.size(), formatBytes(bytes)]);
  if (seconds !== null) {
    const count = formatCount(Math.ceil(seconds));
    facts.push([messages.backupTook(), messages.seconds({ count })]);
  }
  return facts;
}

function FactList({ title, facts }: { title: string; facts: readonly Fact[] }) {
  return (
    <section className={classes.card} aria-label={title}>
      <Text component="h2" mb={8} fz="lg" fw={600}>
        {title}
      </Text>
      <dl>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
