import { Button } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { describeGrant } from "../../../../shared/policy/describe-role.ts";
import { type Grant, grantKey } from "../../../../shared/policy/role.ts";
import { partsOf, subjectOf } from "../../../../shared/policy/role-parts.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { rightNames } from "../../ui/right-names.ts";
import { columnLabels } from "./columns.ts";
import { formOfInfo, type RoleDraft } from "./role-draft.ts";
import classes from "./roles.module.css";

interface Props {
  clashes: readonly string[];
  draft: RoleDraft;
  role: RoleInfo;
  tables: readonly Table[];
  onChoose: (part: string, whose: "mine" | "theirs") => void;
}

/** Parts of the role that I changed and somebody else saved meanwhile: before, theirs, mine, and the choice. */
export function ClashList({ clashes, draft, role, tables, onChoose }: Props) {
  if (clashes.length === 0) return null;
  const theirs = partsOf(formOfInfo(role));
  return (
    <section className={classes.clashes} role="alert">
      <h3 className={classes.subtitle}>
        <IconArrowsSplit2 size={17} aria-hidden="true" /> Somebody else changed this too
      </h3>
      {clashes.map((part) => (
        <div key={part} className={classes.clash}>
          <strong>{nameOf(part, tables)}</strong>
          <dl className={classes.words}>
            <dt>Before</dt>
            <dd>{wordsOf(part, draft.base[part], tables)}</dd>
            <dt>Theirs</dt>
            <dd>{wordsOf(part, theirs[part], tables)}</dd>
            <dt>Mine</dt>
            <dd>{wordsOf(part, draft.mine[part], tables)}</dd>
          </dl>
          <div className={classes.buttons}>
            <Button size="compact-sm" onClick={() => onChoose(part, "mine")}>
              Keep mine
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => onChoose(part, "theirs")}>
              Take theirs
            </Button>
          </div>
        </div>
      ))}
    </section>
  );
}

function tableOf(key: string, tables: readonly Table[]): Table | undefined {
  return tables.find((table) => grantKey({ [key]: {} }, table) === key);
}

function nameOf(part: string, tables: readonly Table[]): string {
  const subject = subjectOf(part);
  if (subject.kind === "name") return "Name of the role";
  if (subject.kind === "right") return `Right to ${rightNames[subject.right]}`;
  const { table, right } = subject;
  const label = table === "*" ? "All other tables" : (tableOf(table, tables)?.label ?? table);
  return right === "" ? label : `${label}: ${columnLabels[right]}`;
}

function wordsOf(part: string, value: Json | undefined, tables: readonly Table[]): string {
  const subject = subjectOf(part);
  if (subject.kind === "name") return String(value);
  if (value === undefined || value === false) return "not allowed";
  if (subject.kind === "right" || subject.right === "") return "allowed";
  const table = tableOf(subject.table, tables) ?? null;
  const grant = { read: true, [subject.right]: value } as Grant;
  const sentences = describeGrant(grant, table, () => undefined);
  const said = subject.right === "read" ? sentences : sentences.slice(1);
  return said.join(" ") || "allowed";
}
