import { Menu, Stack, Text, Title } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { useState } from "react";
import { quote } from "../../../../shared/error-texts/explain.ts";
import { signInTexts } from "../../../../shared/error-texts/sign-in-texts.ts";
import type {
  ProviderInfo,
  ProviderState,
} from "../../../../shared/protocol/identity-providers.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { signInMessages as messages } from "../../messages/en/sign-in.ts";
import { explanationText } from "../../messages/error-text.ts";
import { listRoles, listUsers } from "../../sync/calls/users.ts";
import { rest } from "../../transport/rest/rest.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { AddButton } from "../../ui/add-button.tsx";
import { Callout } from "../../ui/callout.tsx";
import cells from "../../ui/cells.module.css";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { PolicyForm } from "./policy-form.tsx";
import { ProviderDialogs, type ProviderTask } from "./provider-dialogs.tsx";

addExplanations(signInTexts);

async function load() {
  const [providers, policy, roles, users] = await Promise.all([
    rest("GET /identity-providers"),
    rest("GET /sign-in-policy"),
    listRoles(),
    listUsers(),
  ]);
  return { providers: providers.items, policy, roles, users };
}

/** The providers of company accounts, and who signs in how. For owners. */
export function SignInScreen() {
  useTitle(messages.title());
  const { data, problem, reload } = useRemote(load, { on: ["people"] });
  const [task, setTask] = useState<ProviderTask | null>(null);
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const { providers, policy, roles, users } = data;
  const connect = (
    <AddButton onClick={() => setTask({ kind: "create" })}>{messages.connect()}</AddButton>
  );
  const roleName = (id: string) => roles.find((role) => role.id === id)?.name ?? id;
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={providers.length > 0 && connect}
      problem={problem}
    >
      <Stack gap={32}>
        {policy.publicUrl === null && <Callout role="status">{messages.off()}</Callout>}
        {providers.length > 0 ? (
          <ResourceList
            label={messages.providers()}
            items={providers}
            keyOf={({ id }) => id}
            columns={[
              { name: messages.provider(), cell: (one) => <NameCell provider={one} /> },
              {
                name: messages.newUsers(),
                wide: true,
                cell: ({ createUsers }) =>
                  createUsers
                    ? messages.created({ role: roleName(createUsers.role) })
                    : messages.invitedOnly(),
              },
              { name: messages.users(), number: true, cell: (one) => one.users },
            ]}
            actions={(one) => <ProviderMenu provider={one} onTask={setTask} />}
          />
        ) : (
          <Notice icon={IconBuilding} title={messages.none()} text={messages.noneText()}>
            {connect}
          </Notice>
        )}
        <section>
          <Title order={2} size="h3" mb={4}>
            {messages.policy()}
          </Title>
          <PolicyForm
            key={JSON.stringify(policy)}
            policy={policy}
            roles={roles}
            users={users}
            onSaved={reload}
          />
        </section>
      </Stack>
      <ProviderDialogs task={task} roles={roles} onTask={setTask} onChanged={reload} />
    </Page>
  );
}

/** Clocks that differ by less are no fault. */
const CLOCK_WARNING_S = 20;

/** Whether the provider can be read, and what its clock says, is asked for each: one that is down delays no other. */
function NameCell({ provider }: { provider: ProviderInfo }) {
  const { id, name, issuer, fromEnvironment } = provider;
  const { data } = useRemote(() => rest("GET /identity-providers/{id}/state", { params: { id } }));
  const warning = data && warningOf(data);
  return (
    <div className={cells.lines}>
      <strong className={cells.title}>{name}</strong>
      <span className={cells.detail}>{issuer}</span>
      {fromEnvironment && <span className={cells.detail}>{messages.fromEnvironment()}</span>}
      {warning && (
        <Text size="sm" role="status" c="var(--wf-warn)">
          {warning}
        </Text>
      )}
    </div>
  );
}

function warningOf({ problem, aheadS }: ProviderState): string | null {
  if (problem) return explanationText({ ...problem, ...quote(problem.message) });
  if (aheadS === null || Math.abs(aheadS) < CLOCK_WARNING_S) return null;
  const seconds = Math.abs(aheadS);
  return aheadS > 0 ? messages.clockAhead({ seconds }) : messages.clockBehind({ seconds });
}

interface MenuProps {
  provider: ProviderInfo;
  onTask: (task: ProviderTask) => void;
}

function ProviderMenu({ provider, onTask }: MenuProps) {
  const open = (kind: "edit" | "addresses" | "remove") => onTask({ kind, provider });
  return (
    <ActionsMenu label={messages.actionsFor(provider)} width={200}>
      <Menu.Item onClick={() => open("edit")}>{messages.edit()}</Menu.Item>
      {provider.redirectUri !== null && (
        <Menu.Item onClick={() => open("addresses")}>{messages.addresses()}</Menu.Item>
      )}
      {!provider.fromEnvironment && (
        <>
          <Menu.Divider />
          <Menu.Item color="red" onClick={() => open("remove")}>
            {messages.remove()}
          </Menu.Item>
        </>
      )}
    </ActionsMenu>
  );
}
