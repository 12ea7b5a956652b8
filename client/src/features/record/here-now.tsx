import { usePresence } from "../../state/use-presence.ts";
import { PersonAvatar } from "../../ui/person-avatar.tsx";
import classes from "./record.module.css";

/** Who else is on this record right now. */
export function HereNow({ table, record }: { table: string; record: string }) {
  const people = usePresence([table]).filter((person) => person.record === record);
  if (people.length === 0) return null;
  return (
    <span className={classes.here}>
      {people.map((person) => (
        <span key={person.connection} title={`${person.name} is here`}>
          <PersonAvatar name={person.name} colour={person.colour} size={26} />
        </span>
      ))}
    </span>
  );
}
