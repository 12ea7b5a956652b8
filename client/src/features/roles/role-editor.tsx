import { Box, Checkbox, Stack, Tabs, Title } from "@mantine/core";
import { Fragment, useSyncExternalStore } from "react";
import { isReference } from "../../../../shared/model/field-types.ts";
import type { Model } from "../../../../shared/model/model.ts";
import { administrativeRights } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { rightNames } from "../../access/right-names.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { useAbilities, useModel } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { ConflictPanel } from "../../ui/conflicts/conflicts.tsx";
import { formatList } from "../../ui/numbers.ts";
import { Hint } from "../../ui/texts.ts";
import { describeConflict } from "./describe-conflict.ts";
import { describeRole } from "./describe-role.ts";
import type { RoleDraft } from "./role-draft.ts";
import { RoleHead } from "./role-head.tsx";
import { RoleMatrix } from "./role-matrix.tsx";
import { RolePreview } from "./role-preview.tsx";
import classes from "./roles.module.css";
import { SaveBar } from "./save-bar.tsx";

interface Props {
  role: RoleInfo;
  users: readonly UserInfo[];
  draft: RoleDraft;
  onSaved: () => void;
  onAdded: (role: RoleInfo) => void;
  onRemoved: () => void;
}

/**
 * One role. Changes are a draft until they are saved, because rights take effect on open screens immediately. The draft
 * is rebased on what other admins save meanwhile; conflicts are shown, and the user chooses a side.
 */
export function RoleEditor(props: Props) {
  const { role, users, draft, onSaved } = props;
  const model = useModel();
  const { draft: form, changed } = useSyncExternalStore(draft.subscribe, () => draft.state);
  const conflicts = draft.conflicts();
  const changes = draft.countChanges();
  const edit = role.builtIn ? null : (next: RoleForm) => void draft.edit(() => next);
  return (
    <Stack gap={20} miw={0}>
      <RoleHead {...props} form={form} onForm={edit} changes={changes} />
      <ConflictPanel
        conflicts={conflicts}
        describe={(conflict) => describeConflict(conflict, model.tables)}
        onResolve={(conflict, side) => draft.resolve(conflict, side)}
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
      {changed && (
        <SaveBar
          role={role}
          draft={draft}
          changes={changes}
          conflicts={conflicts.length}
          onSaved={onSaved}
        />
      )}
    </Stack>
  );
}

interface RightsPartProps {
  form: RoleForm;
  onForm: ((form: RoleForm) => void) | null;
}

/** The administrative rights. A user can grant only rights that they have. */
function RightsPart({ form, onForm }: RightsPartProps) {
  const mine = useAbilities().rights;
  return (
    <div className={classes.rights}>
      {administrativeRights.map((right) => {
        const isGranted = form.rights.includes(right);
        const isNotMine = onForm && !isGranted && !mine.includes(right);
        const label = rightNames[right];
        return (
          <Checkbox
            key={right}
            label={`${label.charAt(0).toUpperCase()}${label.slice(1)}`}
            description={isNotMine ? messages.rightNotMine() : undefined}
            checked={isGranted}
            disabled={!onForm || Boolean(isNotMine)}
            onChange={(event) =>
              onForm?.({
                ...form,
                rights: administrativeRights.filter((one) =>
                  one === right ? event.currentTarget.checked : form.rights.includes(one),
                ),
              })
            }
          />
        );
      })}
    </div>
  );
}

/** What the role allows, in sentences; follows every change of the draft. */
function RoleSummary({ form, model }: { form: RoleForm; model: Model }) {
  const lookUp = pageLabels();
  useLabelUpdates();
  const tables = describeRole(form, model, (table, name, value) => {
    const field = table.fields.find((one) => one.name === name);
    if (field === undefined || !isReference(field.type) || typeof value !== "string")
      return undefined;
    return lookUp.labelOf(field, value);
  });
  const rights = form.rights.map((right) => rightNames[right]);
  return (
    <Box
      component="section"
      p="14px 18px"
      bd="1px solid var(--wf-line)"
      bdrs="lg"
      bg="var(--wf-raised)"
      aria-label={messages.summary()}
    >
      <Title order={3} size="h4" mb={8}>
        {messages.summary()}
      </Title>
      <dl className={classes.words}>
        {tables.map(({ table, label, sentences }) => (
          <Fragment key={table}>
            <dt>{label}</dt>
            <dd>{sentences.join(" ")}</dd>
          </Fragment>
        ))}
        <dt>{messages.administration()}</dt>
        <dd>
          {rights.length > 0
            ? messages.rights({ rights: formatList(rights) })
            : messages.noRights()}
        </dd>
      </dl>
      {tables.length === 0 && (
        <Hint maw="64ch" textWrap="pretty">
          {messages.noTables()}
        </Hint>
      )}
    </Box>
  );
}
