import { useDesk } from "../../state/use-account.ts";
import { usePresence } from "../../state/use-presence.ts";
import { colleaguesOf } from "../../ui/colleagues.ts";
import { WhoList } from "../../ui/who-list.tsx";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** Who else is here now, and where. */
export function WhoPart() {
  const { model, session } = useDesk();
  const present = usePresence(model.tables.map((table) => table.name));
  const colleagues = colleaguesOf(present, session.user.id);
  return (
    <Part title="Who is here">
      {colleagues.length === 0 ? (
        <p className={classes.text}>Just you for now. Others appear here when they sign in.</p>
      ) : (
        <WhoList colleagues={colleagues} tables={model.tables} />
      )}
    </Part>
  );
}
