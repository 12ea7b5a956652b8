import { useDisclosure } from "@mantine/hooks";
import { IconUserShield } from "@tabler/icons-react";
import { useCallback, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { modelTexts } from "../../../../shared/error-texts/model-texts.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { useAbilities } from "../../state/use-account.ts";
import { listRoles, listUsers } from "../../sync/calls/users.ts";
import { adoptDrafts, openDocument } from "../../sync/documents/shared-document.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useGoOn } from "../../ui/use-go-on.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { NewRoleDialog } from "./new-role-dialog.tsx";
import { ROLE, type RoleDraft, roleKind } from "./role-draft.ts";
import { RoleEditor } from "./role-editor.tsx";
import { RoleList } from "./role-list.tsx";
import classes from "./roles.module.css";

addExplanations(modelTexts);

const addressOfRole = (id: string) => `/admin/roles/${encodeURIComponent(id)}`;

/** The roles, and one of them to view or edit. */
export function RolesScreen({ role: requestedId }: { role: string | undefined }) {
  useTitle(messages.title());
  const { rights } = useAbilities();
  const canReadUsers = rights.includes("users");
  const load = async () => {
    const [roles, users] = await Promise.all([listRoles(), canReadUsers ? listUsers() : []]);
    return { roles, users, drafts: await openDrafts(roles) };
  };
  const { data, problem, reload } = useRemote(load, { on: ["people"] });
  const unsaved = useUnsaved(data?.drafts ?? noDrafts);
  const [adding, { open, close }] = useDisclosure(false);
  // Until the list has it.
  const [created, setCreated] = useState<RoleInfo | null>(null);
  const [, navigate] = useLocation();
  const goOn = useGoOn();
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  if (data.roles.some(({ id }) => id === created?.id)) setCreated(null);
  const roles = created ? [...data.roles, created] : data.roles;
  const shown = requestedId ? roles.find(({ id }) => id === requestedId) : firstOf(data.roles);
  const draft = shown && (data.drafts.get(shown.id) ?? openDraft(shown));
  const added = (role: RoleInfo) => {
    setCreated(role);
    reload();
    goOn(addressOfRole(role.id));
  };
  return (
    <Page
      title={messages.title()}
      lead={messages.lead()}
      actions={<AddButton onClick={open}>{messages.newRole()}</AddButton>}
      problem={problem}
    >
      <div className={classes.panes}>
        <RoleList
          roles={data.roles}
          shown={shown?.id}
          unsaved={unsaved}
          onShow={(id) => navigate(addressOfRole(id))}
        />
        {shown && draft ? (
          <RoleEditor
            key={shown.id}
            role={shown}
            users={data.users}
            draft={draft}
            onSaved={reload}
            onAdded={added}
            onRemoved={() => {
              reload();
              goOn("/admin/roles");
            }}
          />
        ) : (
          <Notice icon={IconUserShield} title={messages.gone()} text={messages.goneText()} />
        )}
      </div>
      <NewRoleDialog opened={adding} roles={data.roles} onClose={close} onAdded={added} />
    </Page>
  );
}

type Drafts = ReadonlyMap<string, RoleDraft>;

const noDrafts: Drafts = new Map();

const openDraft = (role: RoleInfo) => openDocument(roleKind, ROLE + role.id, role);

/** The drafts of all roles, unchanged ones too. That of a role that somebody has removed can't be saved any more. */
async function openDrafts(roles: readonly RoleInfo[]): Promise<Drafts> {
  await adoptDrafts(ROLE);
  const { documents } = pageCore();
  for (const document of documents.documents()) {
    const isRemoved = !roles.some(({ id }) => ROLE + id === document);
    if (document.startsWith(ROLE) && isRemoved) documents.put(document, () => null);
  }
  return new Map(roles.map((role) => [role.id, openDraft(role)]));
}

/** The ids of the roles with unsaved changes. */
function useUnsaved(drafts: Drafts): string[] {
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [...drafts.values()].map((draft) => draft.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [drafts],
  );
  const unsaved = useSyncExternalStore(subscribe, () =>
    [...drafts].flatMap(([id, { state }]) => (state.changed ? [id] : [])).join(" "),
  );
  return unsaved.split(" ");
}

/** The first custom role, because it can be changed; otherwise the first role. */
function firstOf(roles: readonly RoleInfo[]): RoleInfo | undefined {
  return roles.find(({ builtIn }) => !builtIn) ?? roles[0];
}
