import { NativeSelect, UnstyledButton } from "@mantine/core";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import classes from "./role-list.module.css";

interface Props {
  roles: readonly RoleInfo[];
  shown: string | undefined;
  /** Roles with changes that are not saved. */
  unsaved: readonly string[];
  onShow: (id: string) => void;
}

/** The roles: the customer's own and the built-in ones; on small screens as one select. */
export function RoleList(props: Props) {
  const { roles, shown, onShow } = props;
  const own = roles.filter(({ builtIn }) => !builtIn);
  const builtIn = roles.filter((role) => role.builtIn);
  const options = (some: readonly RoleInfo[]) =>
    some.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <NativeSelect
        className={classes.narrow}
        label="Role"
        value={shown ?? ""}
        data={[
          { group: "Your own", items: options(own) },
          { group: "Built in", items: options(builtIn) },
        ]}
        onChange={(event) => onShow(event.currentTarget.value)}
      />
      <nav className={classes.list} aria-label="Roles">
        <Group {...props} title="Your own" roles={own} />
        {own.length === 0 && (
          <p className={classes.none}>
            None yet. Make one for people who should see or do less than an editor.
          </p>
        )}
        <Group {...props} title="Built in" roles={builtIn} />
      </nav>
    </>
  );
}

function Group({ title, roles, shown, unsaved, onShow }: Props & { title: string }) {
  return (
    <section className={classes.section}>
      <h2 className={classes.group}>{title}</h2>
      {roles.map(({ id, name, users = 0 }) => (
        <UnstyledButton
          key={id}
          className={classes.role}
          aria-current={id === shown ? "true" : undefined}
          onClick={() => onShow(id)}
        >
          <span className={classes.roleName}>{name}</span>
          {unsaved.includes(id) && <span className={classes.unsaved}>not saved</span>}
          <span className={classes.count}>
            {users}
            <span className="wf-visually-hidden"> {users === 1 ? "person" : "people"}</span>
          </span>
        </UnstyledButton>
      ))}
    </section>
  );
}
