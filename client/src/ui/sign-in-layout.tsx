import { Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { BlockedStorageNote } from "./blocked-storage-note.tsx";
import { Mark } from "./mark.tsx";
import { PRODUCT_NAME } from "./product-name.ts";
import classes from "./sign-in-layout.module.css";

interface Props {
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** The layout of screens outside the shell, such as sign-in, set-up and invitations: one column below the product name. */
export function SignInLayout({ title, lead, wide = false, children }: Props) {
  return (
    <main className={classes.page}>
      <div className={classes.column} data-wide={wide || undefined}>
        <Group gap={12} mb={32} fz="1.125rem" fw={650} lts="-0.02em">
          <Mark size={36} />
          <span>{PRODUCT_NAME}</span>
        </Group>
        <Text component="h1" mb={4} fz="1.5rem" fw={640} lts="-0.025em" lh={1.25}>
          {title}
        </Text>
        {lead && (
          <Text mb={24} c="dimmed" textWrap="pretty">
            {lead}
          </Text>
        )}
        <BlockedStorageNote />
        {children}
      </div>
    </main>
  );
}
