import { Table, Text } from "@mantine/core";
import type { ApiTokenInfo } from "../../../../shared/protocol/api-tokens.ts";
import { stateLabel } from "../../access/api-tokens/token-labels.ts";
import { TokenMenu } from "../../access/api-tokens/token-menu.tsx";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import cells from "../../ui/cells.module.css";
import { narrowPart, wideCell } from "../../ui/list-table.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import { Hint } from "../../ui/texts.ts";

/** One API token: what it is called, whose it is, what it may do, and its use. */
export function TokenRow({ token, onChanged }: { token: ApiTokenInfo; onChanged: () => void }) {
  const refused = stateLabel(token);
  const role = token.roleName ?? messages.creatorRole();
  return (
    <Table.Tr data-token={token.id}>
      <Table.Td>
        <div className={cells.lines}>
          <span className={cells.title}>{token.name}</span>
          <Hint span fz="xs" ff="monospace">
            {token.prefix}…
          </Hint>
          <Hint span fz="xs" className={narrowPart}>
            {messages.roleIs({ role })}
            {token.expiresAt && ` · ${messages.expiresAt({ date: formatMoment(token.expiresAt) })}`}
          </Hint>
          {refused && (
            <Text span c="var(--wf-warn)" fz="sm" fw={560}>
              {refused}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {token.creator.name ?? messages.deletedUser()}
      </Table.Td>
      <Table.Td className={wideCell}>{role}</Table.Td>
      <Table.Td className={wideCell}>
        <Time at={token.lastUsed} format={formatAgo} />
      </Table.Td>
      <Table.Td className={wideCell}>
        <Time at={token.expiresAt} format={formatMoment} />
      </Table.Td>
      <Table.Td ta="end">
        <TokenMenu token={token} onChanged={onChanged} />
      </Table.Td>
    </Table.Tr>
  );
}

function Time({ at, format }: { at: string | null; format: (at: string) => string }) {
  if (!at)
    return (
      <Hint span textWrap="nowrap">
        {messages.never()}
      </Hint>
    );
  return (
    <Hint component="time" textWrap="nowrap" dateTime={at} title={formatMoment(at)}>
      {format(at)}
    </Hint>
  );
}
