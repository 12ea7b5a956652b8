import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconApi } from "@tabler/icons-react";
import { CreateTokenDialog } from "../../access/api-tokens/create-token-dialog.tsx";
import { usageLabel } from "../../access/api-tokens/token-labels.ts";
import { TokenMenu } from "../../access/api-tokens/token-menu.tsx";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { useMe } from "../../state/use-account.ts";
import { listRoles } from "../../sync/calls/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import frame from "../../ui/rows.module.css";
import { Hint } from "../../ui/texts.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { Part } from "./part.tsx";
import { Row } from "./row.tsx";

async function load() {
  const [tokens, roles] = await Promise.all([rest("GET /tokens"), listRoles()]);
  return { tokens: tokens.items, roles };
}

/** The user's own API tokens: create, rename and revoke them. */
export function TokensPart() {
  const me = useMe();
  const { data, problem, reload } = useRemote(load, { on: ["account", "people"] });
  const [creating, { open, close }] = useDisclosure(false);
  const mine = data?.tokens.filter(({ creator }) => creator.id === me.id);
  return (
    <Part title={messages.title()} text={messages.myText()}>
      <FormProblem problem={problem} focus={false} />
      {mine?.length === 0 && <Hint>{messages.noneOfMine()}</Hint>}
      {mine && mine.length > 0 && (
        <ul className={frame.rows} aria-label={messages.title()}>
          {mine.map((token) => (
            <Row
              key={token.id}
              token={token.id}
              Icon={IconApi}
              name={token.name}
              about={`${token.prefix}… · ${token.roleName ?? messages.yourRole()}`}
              more={usageLabel(token)}
            >
              <TokenMenu token={token} onChanged={reload} />
            </Row>
          ))}
        </ul>
      )}
      <Group>
        <Button variant="default" onClick={open}>
          {messages.create()}
        </Button>
      </Group>
      <CreateTokenDialog
        opened={creating}
        roles={data?.roles ?? []}
        onCreated={reload}
        onClose={close}
      />
    </Part>
  );
}
