import { Tabs } from "@mantine/core";
import { useEffect } from "react";
import { formOf } from "../../../../shared/policy/role-parts.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { useModel } from "../../state/use-account.ts";
import { ClashList } from "./clash-list.tsx";
import { RightsPart } from "./rights-part.tsx";
import {
  changesIn,
  clashesOf,
  draftOf,
  formOfInfo,
  type RoleDraft,
  rebase,
  settle,
  withForm,
} from "./role-draft.ts";
import { RoleHead } from "./role-head.tsx";
import { RoleMatrix } from "./role-matrix.tsx";
import { RolePreview } from "./role-preview.tsx";
import { RoleSummary } from "./role-summary.tsx";
import classes from "./roles.module.css";
import { SaveBar } from "./save-bar.tsx";

interface Props {
  role: RoleInfo;
  users: readonly UserInfo[];
  /** Null while nothing is changed. */
  draft: RoleDraft | null;
  onDraft: (draft: RoleDraft | null) => void;
  onSaved: () => void;
  onAdded: (role: RoleInfo) => void;
  onRemoved: () => void;
}

/**
 * One role. Changes are a draft until they are saved, because a right that is half thought out would
 * act on open screens at once. What other admins save meanwhile comes in under the draft; where both
 * changed the same, it is shown and chosen.
 */
export function RoleEditor(props: Props) {
  const { role, users, draft, onDraft } = props;
  const model = useModel();
  const now = draft ? rebase(draft, role) : draftOf(role);
  const form = draft ? formOf(now.mine) : formOfInfo(role);
  const clashes = clashesOf(now, role);
  const changes = changesIn(now);
  useUnloadWarning(changes > 0);
  const keep = (next: RoleDraft) => onDraft(changesIn(next) > 0 ? next : null);
  const edit = role.builtIn ? null : (next: typeof form) => keep(withForm(now, next));
  return (
    <div className={classes.editor}>
      <RoleHead {...props} form={form} onForm={edit} changes={changes} />
      <ClashList
        clashes={clashes}
        draft={now}
        role={role}
        tables={model.tables}
        onChoose={(part, whose) => keep(settle(now, part, whose, role))}
      />
      <RoleSummary form={form} model={model} />
      <Tabs defaultValue="tables" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="tables">Tables</Tabs.Tab>
          <Tabs.Tab value="rights">Administration</Tabs.Tab>
          <Tabs.Tab value="preview">What would they see?</Tabs.Tab>
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
          draft={now}
          changes={changes}
          clashes={clashes.length}
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

/** The browser asks before a page with unsaved changes is left. */
function useUnloadWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [active]);
}
