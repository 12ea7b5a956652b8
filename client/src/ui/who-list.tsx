import { Link } from "wouter";
import type { Table } from "../../../shared/model/model.ts";
import type { Colleague } from "./colleagues.ts";
import { PersonAvatar } from "./person-avatar.tsx";
import { recordAddress, tableAddress } from "./record-address.ts";
import classes from "./who-list.module.css";

interface Props {
  colleagues: readonly Colleague[];
  /** The tables of the model, for their labels. */
  tables: readonly Table[];
}

/** People who are here, each leading to where they are. */
export function WhoList({ colleagues, tables }: Props) {
  const labelOf = (name: string) => tables.find((table) => table.name === name)?.label ?? name;
  return (
    <ul className={classes.list} aria-label="Who is here">
      {colleagues.map((person) => (
        <li key={person.id}>
          <Link className={classes.person} href={addressOf(person)}>
            <PersonAvatar name={person.name} colour={person.colour} size={26} decorative />
            <span className={classes.words}>
              {person.name}
              <span>
                {person.mode === "editing" ? "Editing" : "Looking at"} {labelOf(person.table)}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function addressOf({ table, record }: Colleague): string {
  return record ? recordAddress(table, record) : tableAddress(table);
}
