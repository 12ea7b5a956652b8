import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApi } from "@tabler/icons-react";
import type { ApiTokenInfo } from "../../../../shared/protocol/api-tokens.ts";
import { CreateTokenDialog } from "../../access/api-tokens/create-token-dialog.tsx";
import { stateLabel } from "../../access/api-tokens/token-labels.ts";
import { TokenMenu } from "../../access/api-tokens/token-menu.tsx";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { listRoles } from "../../sync/calls/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { AddButton } from "../../ui/add-button.tsx";
import cells from "../../ui/cells.module.css";
import { Notice } from "../../ui/notice.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import { Page } from "../../ui/page.tsx";
import { narrowPart, ResourceList } from "../../ui/resource-list.tsx";
import { Hint } from "../../ui/texts.ts";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";

async function load() {
  const [tokens, roles] = await Promise.all([rest("GET /tokens"), listRoles()]);
  return { tokens: tokens.items, roles };
}

/** The API tokens of everybody: create one's own, rename and revoke any. */
export function TokensScreen() {
  useTitle(messages.title());
  const { data, problem, reload } = useRemote(load, { on: ["people"] });
  const [creating, { open, close }] = useDisclosure(false);
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const create = <AddButton onClick={open}>{messages.create()}</AddButton>;
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={data.tokens.length > 0 && create}
      problem={problem}
    >
      {data.tokens.length > 0 ? (
        <ResourceList
          label={messages.title()}
          items={data.tokens}
          keyOf={({ id }) => id}
          columns={[
            { name: messages.token(), cell: (token) => <TokenCell token={token} /> },
            {
              name: messages.creator(),
              cell: ({ creator }) => (
                <Text span inherit style={{ overflowWrap: "anywhere" }}>
                  {creator.name ?? messages.deletedUser()}
                </Text>
              ),
            },
            { name: messages.role(), wide: true, cell: roleOf },
            {
              name: messages.lastUsed(),
              wide: true,
              cell: ({ lastUsed }) => <Time at={lastUsed} format={formatAgo} />,
            },
            {
              name: messages.expires(),
              wide: true,
              cell: ({ expiresAt }) => <Time at={expiresAt} format={formatMoment} />,
            },
          ]}
          actions={(token) => <TokenMenu token={token} onChanged={reload} />}
        />
      ) : (
        <Notice icon={IconApi} title={messages.none()} text={messages.noneText()}>
          {create}
        </Notice>
      )}
      <CreateTokenDialog opened={creating} roles={data.roles} onCreated={reload} onClose={close} />
    </Page>
  );
}

const roleOf = ({ roleName }: ApiTokenInfo) => roleName ?? messages.creatorRole();

/** What it is called and, on narrow screens, what it may do and until when. */
function TokenCell({ token }: { token: ApiTokenInfo }) {
  const refused = stateLabel(token);
  return (
    <div className={cells.lines}>
      <span className={cells.title}>{token.name}</span>
      <Hint span fz="xs" ff="monospace">
        {token.prefix}…
      </Hint>
      <Hint span fz="xs" className={narrowPart}>
        {messages.roleIs({ role: roleOf(token) })}
        {token.expiresAt && ` · ${messages.expiresAt({ date: formatMoment(token.expiresAt) })}`}
      </Hint>
      {refused && (
        <Text span c="var(--wf-warn)" fz="sm" fw={600}>
          {refused}
        </Text>
      )}
    </div>
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
