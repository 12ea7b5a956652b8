import { Fragment } from "react";
import type { Model } from "../../../../shared/model/model.ts";
import { describeRole } from "../../../../shared/policy/describe-role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { isOfferedRight } from "../../../../shared/policy/unused-rights.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { useLabelUpdates } from "../../ui/fields/use-label-updates.ts";
import { rightNames } from "../../ui/right-names.ts";
import classes from "./roles.module.css";

const rightsFormat = new Intl.ListFormat("en-GB");

/** What the role allows, in sentences; follows every change of the draft. */
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
    <section className={classes.summary} aria-label={messages.summary()}>
      <h3 className={classes.subtitle}>{messages.summary()}</h3>
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
            ? messages.rights({ rights: rightsFormat.format(rights) })
            : messages.noRights()}
        </dd>
      </dl>
      {tables.length === 0 && <p className={classes.text}>{messages.noTables()}</p>}
    </section>
  );
}
