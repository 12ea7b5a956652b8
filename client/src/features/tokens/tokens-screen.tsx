import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApi, IconPlus } from "@tabler/icons-react";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { createToken, listTokens } from "../../sync/calls/api-tokens.ts";
import { listRoles } from "../../sync/calls/users.ts";
import { CreateTokenDialog } from "../../ui/api-tokens/create-token-dialog.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { ListTable } from "../../ui/list-table.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { TokenRow } from "./token-row.tsx";

async function load() {
  const [tokens, roles] = await Promise.all([listTokens(), listRoles()]);
  return { tokens, roles };
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
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={open}>
          {messages.create()}
        </Button>
      }
    >
      <FormProblem problem={problem} />
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
        <Notice
          icon={<IconApi size={28} stroke={1.5} />}
          title={messages.none()}
          text={messages.noneText()}
        />
      )}
      <CreateTokenDialog
        opened={creating}
        roles={data.roles}
        create={createToken}
        onCreated={reload}
        onClose={close}
      />
    </Page>
  );
}
