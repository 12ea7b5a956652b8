import { Box, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { systemMessages as messages } from "../../messages/en/system.ts";
import { ListTable, numberCell, wideCell } from "../../ui/list-table.tsx";
import { formatAgo, formatBytes, formatCount, formatMoment } from "../../ui/numbers.ts";
import classes from "./system.module.css";
import { placeLabels } from "./system-problems.ts";

const wideNumberCell = `${wideCell} ${numberCell}`;

type Node = SystemInfo["nodes"][number];

/** The servers; this one is the first. */
export function ServerTable({ nodes }: { nodes: readonly Node[] }) {
  return (
    <Part title={messages.servers()}>
      <ListTable
        label={messages.servers()}
        hasActions={false}
        columns={[messages.server(), messages.connections(), messages.lag()]}
        wideColumns={[
          messages.waiting(),
          messages.memory(),
          messages.loopDelay(),
          messages.disks(),
        ]}
        numberColumns={[
          messages.connections(),
          messages.lag(),
          messages.waiting(),
          messages.memory(),
          messages.loopDelay(),
        ]}
      >
        {nodes.map((node) => (
          <ServerRow key={node.id} node={node} />
        ))}
      </ListTable>
    </Part>
  );
}

function ServerRow({ node }: { node: Node }) {
  const role = node.isLeader ? messages.leader() : messages.follower();
  const started = messages.startedAgo({ ago: formatAgo(node.startedAt) });
  return (
    <Table.Tr>
      <Table.Td>
        <div>{node.isThis ? messages.thisServer({ host: node.host }) : node.host}</div>
        <div className={classes.more} title={formatMoment(node.startedAt)}>
          {[role, node.version, started].join(" · ")}
        </div>
      </Table.Td>
      <Table.Td className={numberCell}>{formatCount(node.connections)}</Table.Td>
      <Table.Td className={numberCell}>{formatCount(node.lag)}</Table.Td>
      <Table.Td className={wideNumberCell}>{formatCount(node.waitingMutations)}</Table.Td>
      <Table.Td className={wideNumberCell}>{formatBytes(node.memoryBytes)}</Table.Td>
      <Table.Td className={wideNumberCell}>
        {messages.milliseconds({ count: formatCount(node.loopDelayMs) })}
      </Table.Td>
      <Table.Td className={wideCell}>
        {node.disks.length === 0 && <span className={classes.more}>{messages.noDisk()}</span>}
        {node.disks.map(({ place, freeBytes, totalBytes }) => (
          <div key={place}>
            {messages.diskFree({
              place: placeLabels[place](),
              free: formatBytes(freeBytes),
              total: formatBytes(totalBytes),
            })}
          </div>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}

/** The feeds of the tables that the user may read. */
export function FeedTable({ feeds, others }: { feeds: SystemInfo["feeds"]; others: number }) {
  return (
    <Part
      title={messages.feeds()}
      text={others > 0 ? messages.otherFeeds({ count: others }) : undefined}
      empty={feeds.length === 0 && others === 0 ? messages.noFeeds() : undefined}
    >
      {feeds.length > 0 && (
        <ListTable
          label={messages.feeds()}
          hasActions={false}
          columns={[messages.table(), messages.head(), messages.lag()]}
          wideColumns={[messages.retained()]}
          numberColumns={[messages.head(), messages.lag(), messages.retained()]}
        >
          {feeds.map(({ table, label, head, retained, lag }) => (
            <Table.Tr key={table}>
              <Table.Td>{label}</Table.Td>
              <Table.Td className={numberCell}>{formatCount(head)}</Table.Td>
              <Table.Td className={numberCell}>{formatCount(lag)}</Table.Td>
              <Table.Td className={wideNumberCell}>{formatCount(retained)}</Table.Td>
            </Table.Tr>
          ))}
        </ListTable>
      )}
    </Part>
  );
}

/** The statements that took most time in all. */
export function StatementTable({ slow }: { slow: SystemInfo["slow"] }) {
  const ms = (count: number) => messages.milliseconds({ count: formatCount(count) });
  return (
    <Part
      title={messages.slow()}
      text={messages.slowText()}
      empty={slow.length === 0 ? messages.noSlow() : undefined}
    >
      <ListTable
        label={messages.slow()}
        hasActions={false}
        columns={[messages.statement(), messages.calls(), messages.mean()]}
        wideColumns={[messages.max()]}
        numberColumns={[messages.calls(), messages.mean(), messages.max()]}
      >
        {slow.map(({ text, calls, meanMs, maxMs }, index) => (
          <Table.Tr key={text ?? index}>
            <Table.Td>
              {text === null ? (
                <span className={classes.more}>{messages.hiddenText()}</span>
              ) : (
                <code className={classes.statement}>{text}</code>
              )}
            </Table.Td>
            <Table.Td className={numberCell}>{formatCount(calls)}</Table.Td>
            <Table.Td className={numberCell}>{ms(meanMs)}</Table.Td>
            <Table.Td className={wideNumberCell}>{ms(maxMs)}</Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
    </Part>
  );
}

/** How often something was refused, by code. */
export function ErrorTable({ errors, now }: { errors: SystemInfo["errors"]; now: string }) {
  return (
    <Part
      title={messages.errors()}
      text={messages.errorsText()}
      empty={errors.length === 0 ? messages.noErrors() : undefined}
    >
      <ListTable
        label={messages.errors()}
        hasActions={false}
        columns={[messages.code(), messages.count(), messages.lastAt()]}
        numberColumns={[messages.count()]}
      >
        {errors.map(({ code, count, lastAt }) => (
          <Table.Tr key={code}>
            <Table.Td>
              <code>{code}</code>
            </Table.Td>
            <Table.Td className={numberCell}>{formatCount(count)}</Table.Td>
            <Table.Td title={formatMoment(lastAt)}>{formatAgo(lastAt, Date.parse(now))}</Table.Td>
          </Table.Tr>
        ))}
      </ListTable>
    </Part>
  );
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
      <Text component="h2" mb={8} fz="0.9375rem" fw={600}>
        {title}
      </Text>
      {empty === undefined && text !== undefined && <p className={classes.more}>{text}</p>}
      {empty === undefined ? children : <p className={classes.more}>{empty}</p>}
    </Box>
  );
}
