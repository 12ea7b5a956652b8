import { NativeSelect, UnstyledButton } from "@mantine/core";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { Tag } from "../../ui/tag.tsx";
import { Hint } from "../../ui/texts.ts";
import classes from "./role-list.module.css";

interface Props {
  roles: readonly RoleInfo[];
  shown: string | undefined;
  /** Roles with unsaved changes. */
  unsaved: readonly string[];
  onShow: (id: string) => void;
}

/** The custom and built-in roles; a select on small screens. */
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
        label={messages.role()}
        value={shown ?? ""}
        data={[
          ...(shown ? [] : [{ value: "", label: messages.gone() }]),
          { group: messages.custom(), items: options(own) },
          { group: messages.builtIn(), items: options(builtIn) },
        ]}
        onChange={(event) => onShow(event.currentTarget.value)}
      />
      <nav className={classes.list} aria-label={messages.title()}>
        <Group {...props} title={messages.custom()} roles={own} />
        {own.length === 0 && <p className={classes.none}>{messages.noCustom()}</p>}
        <Group {...props} title={messages.builtIn()} roles={builtIn} />
      </nav>
    </>
  );
}

function Group({ title, roles, shown, unsaved, onShow }: Props & { title: string }) {
  return (
    <section className={classes.section}>
      <Hint component="h2" mb={4} px={8} fz="xs" fw={600}>
        {title}
      </Hint>
      {roles.map(({ id, name, users = 0 }) => (
        <UnstyledButton
          key={id}
          className={classes.role}
          aria-current={id === shown ? "true" : undefined}
          onClick={() => onShow(id)}
        >
          <span className={classes.roleName}>{name}</span>
          {unsaved.includes(id) && <Tag tone="warn">{messages.unsaved()}</Tag>}
          <Hint span fz="xs" fw={400}>
            <span aria-hidden="true">{users}</span>
            <span className="wf-visually-hidden">{messages.userCount({ count: users })}</span>
          </Hint>
        </UnstyledButton>
      ))}
    </section>
  );
}
