import { Popover, UnstyledButton } from "@mantine/core";
import { useDesk } from "../../state/use-account.ts";
import { usePresence } from "../../state/use-presence.ts";
import { colleaguesOf } from "../../ui/colleagues.ts";
import { PersonAvatar } from "../../ui/person-avatar.tsx";
import { WhoList } from "../../ui/who-list.tsx";
import classes from "./who-is-here.module.css";

const FACES = 3;

/** Everybody else who is on the tables that this page follows: faces, and a list on asking. */
export function WhoIsHere() {
  const { model, session } = useDesk();
  const present = usePresence(Object.keys(session.abilities.tables));
  const colleagues = colleaguesOf(present, session.user.id);
  if (colleagues.length === 0) return null;
  const rest = colleagues.length - FACES;
  const others = colleagues.length === 1 ? "1 other here" : `${colleagues.length} others here`;
  return (
    <Popover position="bottom-end" shadow="md" radius="lg" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.faces}>
          <span className="wf-visually-hidden">Who is here: {others}</span>
          {colleagues.slice(0, FACES).map((person) => (
            <PersonAvatar key={person.id} name={person.name} colour={person.colour} decorative />
          ))}
          {rest > 0 && <span className={classes.rest}>+{rest}</span>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <WhoList colleagues={colleagues} tables={model.tables} />
      </Popover.Dropdown>
    </Popover>
  );
}
