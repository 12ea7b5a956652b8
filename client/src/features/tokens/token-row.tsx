import { Table } from "@mantine/core";
import type { ApiTokenInfo } from "../../../../shared/protocol/api-tokens.ts";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { renameToken, revokeToken } from "../../sync/calls/api-tokens.ts";
import { stateLabel } from "../../ui/api-tokens/token-labels.ts";
import { TokenMenu } from "../../ui/api-tokens/token-menu.tsx";
import cells from "../../ui/cells.module.css";
import { wideCell } from "../../ui/list-table.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import classes from "./tokens.module.css";

/** One API token: what it is called, whose it is, what it may do, and its use. */
export function TokenRow({ token, onChanged }: { token: ApiTokenInfo; onChanged: () => void }) {
  const refused = stateLabel(token);
  const role = token.roleName ?? messages.creatorRole();
  return (
    <Table.Tr data-token={token.id}>
      <Table.Td>
        <div className={cells.lines}>
          <span className={cells.title}>{token.name}</span>
          <span className={classes.prefix}>{token.prefix}…</span>
          <span className={classes.narrow}>
            {messages.roleIs({ role })}
            {token.expiresAt && ` · ${messages.expiresAt({ date: formatMoment(token.expiresAt) })}`}
          </span>
          {refused && <span className={classes.refused}>{refused}</span>}
        </div>
      </Table.Td>
      <Table.Td className={classes.creator}>
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
        <TokenMenu token={token} rename={renameToken} revoke={revokeToken} onChanged={onChanged} />
      </Table.Td>
    </Table.Tr>
  );
}

function Time({ at, format }: { at: string | null; format: (at: string) => string }) {
  if (!at) return <span className={classes.time}>{messages.never()}</span>;
  return (
    <time className={classes.time} dateTime={at} title={formatMoment(at)}>
      {format(at)}
    </time>
  );
}
