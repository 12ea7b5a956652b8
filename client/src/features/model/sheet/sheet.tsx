import { Drawer } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { uiMessages } from "../../../messages/en/ui.ts";
import { DraftProvider } from "../draft/use-draft.tsx";
import classes from "./sheet.module.css";

interface Props {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** A sheet at the right of any screen, in which a part of the model is edited. It gives the focus back when it closes. */
export function Sheet({ title, onClose, children }: Props) {
  const before = useRef(document.activeElement);
  useEffect(
    () => () => {
      const { current } = before;
      const isNowhere = document.activeElement === document.body;
      if (isNowhere && current instanceof HTMLElement) current.focus({ preventScroll: true });
    },
    [],
  );
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 0 }}
      classNames={{ content: classes.sheet ?? "" }}
    >
      <Drawer.Overlay backgroundOpacity={0.12} />
      <Drawer.Content aria-label={title}>
        <Drawer.Header className={classes.head ?? ""}>
          <Drawer.Title className={classes.title ?? ""}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={uiMessages.close()} />
        </Drawer.Header>
        <Drawer.Body className={classes.body ?? ""}>
          <DraftProvider>{children}</DraftProvider>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
