import { Group, Text } from "@mantine/core";
import { createContext, type ReactNode } from "react";
import classes from "./page.module.css";

interface Props {
  title: string;
  lead?: ReactNode;
  /** Buttons that concern the whole page. */
  actions?: ReactNode;
  /** Limits the width, for pages of text and forms. */
  narrow?: boolean;
  children: ReactNode;
}

/** Whether there is a page around, whose title is the main heading. */
export const WithinPage = createContext(false);

/** A page that scrolls: heading, a sentence, the page's actions, its content. */
export function Page({ title, lead, actions, narrow = false, children }: Props) {
  return (
    <div className={classes.page} data-narrow={narrow || undefined}>
      <Group component="header" gap="12px 24px" align="flex-start" justify="space-between" mb={24}>
        <div>
          <h1 className={classes.title}>{title}</h1>
          {lead && (
            <Text maw="64ch" mt={4} c="dimmed" textWrap="pretty">
              {lead}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap={8} align="stretch" wrap="nowrap">
            {actions}
          </Group>
        )}
      </Group>
      <WithinPage value={true}>{children}</WithinPage>
    </div>
  );
}
