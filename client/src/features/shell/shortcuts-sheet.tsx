import { Kbd, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Fragment, useEffect } from "react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { setSidebarCollapsed } from "../../state/preferences.ts";
import { useSidebarCollapsed } from "../../state/use-preferences.ts";
import { shortcutGroups } from "./shortcuts.ts";
import classes from "./shortcuts-sheet.module.css";
import { useSingleKeys } from "./use-single-keys.ts";

const OPEN_EVENT = "watchfloor:shortcuts";

/** Opens the list of shortcuts, as from a menu. */
export function openShortcuts(): void {
  globalThis.dispatchEvent(new Event(OPEN_EVENT));
}

/** The list of shortcuts on `?`, and the shortcuts of the shell itself. */
export function ShortcutsSheet() {
  const [opened, { open, close, toggle }] = useDisclosure(false);
  const collapsed = useSidebarCollapsed();
  useSingleKeys({
    "?": toggle,
    "[": () => setSidebarCollapsed(!collapsed),
  });
  useEffect(() => {
    globalThis.addEventListener(OPEN_EVENT, open);
    return () => globalThis.removeEventListener(OPEN_EVENT, open);
  }, [open]);
  return (
    <Modal opened={opened} onClose={close} title={messages.keyboardShortcuts()} size="lg">
      <div className={classes.groups}>
        {shortcutGroups.map((group) => (
          <section key={group.title()}>
            <h3 className={classes.title}>{group.title()}</h3>
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
    </Modal>
  );
}
