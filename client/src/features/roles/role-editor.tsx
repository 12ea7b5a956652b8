import { Tabs } from "@mantine/core";
import { useEffect } from "react";
import { diff } from "../../../../shared/document/diff.ts";
import { type Draft, rebase, resolve } from "../../../../shared/document/draft.ts";
import { treeToRole } from "../../../../shared/policy/role-tree.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { useModel } from "../../state/use-account.ts";
import { ConflictPanel } from "../../ui/conflicts/conflict-list.tsx";
import { describeConflict } from "./describe-conflict.ts";
import { RightsPart } from "./rights-part.tsx";
import { draftOf, formOfInfo, withForm } from "./role-draft.ts";
import { RoleHead } from "./role-head.tsx";
import { RoleMatrix } from "./role-matrix.tsx";
import { RolePreview } from "./role-preview.tsx";
import { RoleSummary } from "./role-summary.tsx";
import classes from "./roles.module.css";
import { SaveBar } from "./save-bar.tsx";

interface Props {
  role: RoleInfo;
  users: readonly UserInfo[];
  /** Null if nothing is changed. */
  draft: Draft | null;
  onDraft: (draft: Draft | null) => void;
  onSaved: () => void;
  onAdded: (role: RoleInfo) => void;
  onRemoved: () => void;
}

/**
 * One role. Changes are a draft until they are saved, because rights take effect on open screens immediately. The draft
 * is rebased on what other admins save meanwhile; conflicts are shown, and the user chooses a side.
 */
export function RoleEditor(props: Props) {
  const { role, users, draft, onDraft } = props;
  const model = useModel();
  const saved = draftOf(role);
  const { conflicts, ...current } = rebase(draft ?? saved, saved.base);
  const form = draft ? treeToRole(current.mine) : formOfInfo(role);
  const changes = diff(current.base, current.mine).length;
  useUnloadWarning(changes > 0);
  const updateDraft = (next: Draft) => onDraft(diff(next.base, next.mine).length > 0 ? next : null);
  const edit = role.builtIn ? null : (next: typeof form) => updateDraft(withForm(current, next));
  return (
    <div className={classes.editor}>
      <RoleHead {...props} form={form} onForm={edit} changes={changes} />
      <ConflictPanel
        conflicts={conflicts.map((conflict) => describeConflict(conflict, model.tables))}
        onResolve={(key, side) => {
          const conflict = conflicts.find(({ path }) => path.join("/") === key);
          if (conflict) updateDraft(resolve(current, conflict, side));
        }}
      />
      <RoleSummary form={form} model={model} />
      <Tabs defaultValue="tables" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="tables">{messages.tables()}</Tabs.Tab>
          <Tabs.Tab value="rights">{messages.administration()}</Tabs.Tab>
          <Tabs.Tab value="preview">{messages.preview()}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="tables" pt="md">
          <RoleMatrix form={form} tables={model.tables} onForm={edit} />
        </Tabs.Panel>
        <Tabs.Panel value="rights" pt="md">
          <RightsPart form={form} onForm={edit} />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="md">
          <RolePreview role={role} form={form} users={users} tables={model.tables} />
        </Tabs.Panel>
      </Tabs>
      {changes > 0 && (
        <SaveBar
          role={role}
          draft={current}
          changes={changes}
          conflicts={conflicts.length}
          onDiscard={() => onDraft(null)}
          onSaved={() => {
            onDraft(null);
            props.onSaved();
          }}
          onConflict={props.onSaved}
        />
      )}
    </div>
  );
}

/** The browser warns before leaving a page with unsaved changes. */
function useUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [active]);
}
