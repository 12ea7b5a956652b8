import { useDisclosure } from "@mantine/hooks";
import { useEffect } from "react";
import { useLocation } from "wouter";
import type { Draft } from "../../../../shared/document/draft.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { roleDraftsAtom } from "../../state/role-drafts.ts";
import { store } from "../../state/store.ts";
import { useAbilities } from "../../state/use-account.ts";
import { useAtom } from "../../state/use-atom.ts";
import { listRoles, listUsers } from "../../sync/calls/users.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Unloaded } from "../../ui/unloaded.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";
import { NewRoleDialog } from "./new-role-dialog.tsx";
import { RoleEditor } from "./role-editor.tsx";
import { RoleList } from "./role-list.tsx";
import classes from "./roles.module.css";

const addressOfRole = (id: string) => `/admin/roles/${encodeURIComponent(id)}`;

/** The roles, and one of them to view or edit. */
export function RolesScreen({ role: requestedId }: { role: string | undefined }) {
  useTitle(messages.title());
  const { rights } = useAbilities();
  const canReadUsers = rights.includes("users");
  const load = async () => {
    const [roles, users] = await Promise.all([listRoles(), canReadUsers ? listUsers() : []]);
    return { roles, users };
  };
  const { data, problem, reload } = useRemote(load, { on: ["people"] });
  useEffect(() => {
    if (data) dropDraftsOfRemoved(data.roles);
  }, [data]);
  const drafts = useAtom(roleDraftsAtom);
  const [adding, { open, close }] = useDisclosure(false);
  const [, navigate] = useLocation();
  if (!data) return <Unloaded problem={problem} reload={reload} />;
  const shown = data.roles.find(({ id }) => id === requestedId) ?? firstOf(data.roles);
  const setDraft = (id: string, draft: Draft | null) => {
    const { [id]: _before, ...rest } = store.get(roleDraftsAtom);
    store.set(roleDraftsAtom, draft ? { ...rest, [id]: draft } : rest);
  };
  const added = (role: RoleInfo) => {
    reload();
    navigate(addressOfRole(role.id));
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
          unsaved={Object.keys(drafts)}
          onShow={(id) => navigate(addressOfRole(id))}
        />
        {shown && (
          <RoleEditor
            key={shown.id}
            role={shown}
            users={data.users}
            draft={drafts[shown.id] ?? null}
            currentDraft={() => store.get(roleDraftsAtom)[shown.id] ?? null}
            onDraft={(draft) => setDraft(shown.id, draft)}
            onSaved={reload}
            onAdded={added}
            onRemoved={() => {
              setDraft(shown.id, null);
              reload();
              navigate("/admin/roles");
            }}
          />
        )}
      </div>
      <NewRoleDialog opened={adding} roles={data.roles} onClose={close} onAdded={added} />
    </Page>
  );
}

/** A role that somebody has removed can't be saved any more. */
function dropDraftsOfRemoved(roles: readonly RoleInfo[]): void {
  const drafts = Object.entries(store.get(roleDraftsAtom));
  const left = drafts.filter(([id]) => roles.some((role) => role.id === id));
  if (left.length < drafts.length) store.set(roleDraftsAtom, Object.fromEntries(left));
}

/** The first custom role, because it can be changed; otherwise the first role. */
function firstOf(roles: readonly RoleInfo[]): RoleInfo | undefined {
  return roles.find(({ builtIn }) => !builtIn) ?? roles[0];
}
