import { Fragment } from "react";
import type { Model } from "../../../../shared/model/model.ts";
import { describeRole } from "../../../../shared/policy/describe-role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { isOfferedRight } from "../../../../shared/policy/unused-rights.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { useLabelUpdates } from "../../ui/fields/use-label-updates.ts";
import { rightNames } from "../../ui/right-names.ts";
import classes from "./roles.module.css";

/** What the role may, in sentences: it follows every change at once. */
export function RoleSummary({ form, model }: { form: RoleForm; model: Model }) {
  const lookUp = pageLabels();
  useLabelUpdates(lookUp);
  const tables = describeRole(form, model, (table, name, value) => {
    const field = table.fields.find((one) => one.name === name);
    const isReference = field?.type === "link" || field?.type === "person";
    return isReference && typeof value === "string" ? lookUp.labelOf(field, value) : undefined;
  });
  const rights = form.rights.filter(isOfferedRight).map((right) => rightNames[right]);
  return (
    <section className={classes.summary} aria-label="In plain words">
      <h3 className={classes.subtitle}>In plain words</h3>
      <dl className={classes.words}>
        {tables.map(({ table, label, sentences }) => (
          <Fragment key={table}>
            <dt>{label}</dt>
            <dd>{sentences.join(" ")}</dd>
          </Fragment>
        ))}
        <dt>Administration</dt>
        <dd>{rights.length > 0 ? `May ${joinLabels(rights)}.` : "None."}</dd>
      </dl>
      {tables.length === 0 && (
        <p className={classes.text}>
          No table can be seen: whoever has this role sees an empty desk.
        </p>
      )}
    </section>
  );
}

function joinLabels(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
