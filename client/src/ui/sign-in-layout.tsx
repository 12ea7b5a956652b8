import { Text } from "@mantine/core";
import type { ReactNode } from "react";
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
        <div className={classes.brand}>
          <Mark size={36} />
          <span>{PRODUCT_NAME}</span>
        </div>
        <h1 className={classes.title}>{title}</h1>
        {lead && (
          <Text mb={24} c="dimmed" textWrap="pretty">
            {lead}
          </Text>
        )}
        {children}
      </div>
    </main>
  );
}
