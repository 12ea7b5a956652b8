import { useDisclosure } from "@mantine/hooks";
import { IconApi } from "@tabler/icons-react";
import { CreateTokenDialog } from "../../access/api-tokens/create-token-dialog.tsx";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { listRoles } from "../../sync/calls/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { TokenRow } from "./token-row.tsx";

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
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={<AddButton onClick={open}>{messages.create()}</AddButton>}
      problem={problem}
    >
      {data.tokens.length > 0 ? (
        <ListTable
          label={messages.title()}
          columns={[messages.token(), messages.creator()]}
          wideColumns={[messages.role(), messages.lastUsed(), messages.expires()]}
        >
          {data.tokens.map((token) => (
            <TokenRow key={token.id} token={token} onChanged={reload} />
          ))}
        </ListTable>
      ) : (
        <Notice icon={IconApi} title={messages.none()} text={messages.noneText()} />
      )}
      <CreateTokenDialog opened={creating} roles={data.roles} onCreated={reload} onClose={close} />
    </Page>
  );
}
