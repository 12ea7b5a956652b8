import { Kbd } from "@mantine/core";
import { Fragment } from "react";
import { Hint } from "../../ui/texts.ts";
import { shortcutGroups } from "./shortcuts.ts";
import classes from "./shortcuts-sheet.module.css";

/** All shortcuts with their keys, by where they are. */
export function ShortcutList() {
  return (
    <div className={classes.groups}>
      {shortcutGroups.map((group) => (
        <section key={group.title()}>
          <Hint component="h3" mb={8} fz="xs" fw={600}>
            {group.title()}
          </Hint>
          <dl className={classes.list}>
            {group.shortcuts.map(({ keys, description }) => (
              <Fragment key={description()}>
                <dt>{description()}</dt>
                <dd>
                  {keys.map((key) => (
                    <Kbd key={key} ff="text">
                      {key}
                    </Kbd>
                  ))}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
