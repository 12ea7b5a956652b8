import { NativeSelect, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { Filter, Json } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { attributeText, readAttribute } from "../../access/attribute-text.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { rest } from "../../transport/rest/rest.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { useRemote } from "../../ui/use-remote.ts";
import { PreviewRecords } from "./preview-records.tsx";
import classes from "./roles.module.css";

interface Props {
  role: RoleInfo;
  form: RoleForm;
  users: readonly UserInfo[];
  tables: readonly Table[];
}

const ROWS = 8;
const PREVIEW_DELAY_MS = 350;

/**
 * What a user would see with the drafted role, read from the server for a user and their attributes. Shows only what
 * the current user may see too.
 */
export function RolePreview({ role, form, users, tables }: Props) {
  const [userId, setUserId] = useState(() => users.find((one) => one.role === role.id)?.id ?? "");
  const [name, setName] = useState(tables[0]?.name ?? "");
  const [typed, setTyped] = useState<Record<string, string>>({});
  const selectedUser = users.find(({ id }) => id === userId);
  const attributeNames = attributesIn(form);
  const attributes: Record<string, Json> = { ...selectedUser?.attributes };
  for (const [key, text] of Object.entries(typed)) attributes[key] = readAttribute(text);
  const { grants } = form;
  const call = { table: name, grants, attributes, limit: ROWS, ...(userId && { user: userId }) };
  const [key] = useDebouncedValue(JSON.stringify(call), PREVIEW_DELAY_MS);
  const read = async () => ({
    key,
    table: JSON.parse(key).table as string,
    preview: await rest("POST /roles/preview", { body: JSON.parse(key) }),
  });
  const { data, problem } = useRemote(read, { key });
  // Until another answer arrives, what is shown is of another user, table or draft.
  const isCurrent = data?.key === JSON.stringify(call);
  const shown = tables.find((one) => one.name === data?.table);
  return (
    <Stack gap={16}>
      <div className={classes.previewInputs}>
        <NativeSelect
          label={messages.user()}
          value={userId}
          data={[
            { value: "", label: messages.noUser() },
            ...users.map((one) => ({ value: one.id, label: one.name })),
          ]}
          onChange={(event) => {
            setUserId(event.currentTarget.value);
            setTyped({});
          }}
        />
        {attributeNames.map((key) => (
          <TextInput
            {...noFill}
            key={key}
            label={messages.attribute({ name: key })}
            placeholder={messages.none()}
            value={typed[key] ?? attributeText(selectedUser?.attributes?.[key])}
            onChange={(event) => setTyped({ ...typed, [key]: event.currentTarget.value })}
          />
        ))}
        <NativeSelect
          label={messages.table()}
          value={name}
          data={tables.map((one) => ({ value: one.name, label: one.label }))}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <FormProblem problem={problem} focus={false} />
      {data && shown && !problem && (
        <div className={classes.previewed} aria-busy={!isCurrent}>
          <PreviewRecords preview={data.preview} table={shown} />
        </div>
      )}
    </Stack>
  );
}

/** The user attributes that a role's row filters refer to, sorted by name. */
function attributesIn({ grants }: Pick<RoleForm, "grants">): string[] {
  const filters = Object.values(grants).flatMap(({ read, update, delete: remove }) =>
    [read, update, remove].flatMap((right) =>
      typeof right === "object" && right.filter ? [right.filter] : [],
    ),
  );
  return [...new Set(filters.flatMap(attributesOfFilter))].sort();
}

function attributesOfFilter(filter: Filter): string[] {
  if ("not" in filter) return attributesOfFilter(filter.not);
  if ("and" in filter) return filter.and.flatMap(attributesOfFilter);
  if ("or" in filter) return filter.or.flatMap(attributesOfFilter);
  const { value = null } = filter;
  const operands = Array.isArray(value) ? value : [value];
  return operands.flatMap((each) => {
    const operand = readOperand(each);
    return operand.type === "me" && operand.attribute !== null ? [operand.attribute] : [];
  });
}
