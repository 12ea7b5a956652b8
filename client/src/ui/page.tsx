import { Group, Text } from "@mantine/core";
import { createContext, type ReactNode } from "react";
import { barNameAtom } from "../state/bar-name.ts";
import { useAtom } from "../state/use-atom.ts";
import { FormProblem } from "./form-problem.tsx";
import classes from "./page.module.css";

interface Props {
  title: string;
  lead?: ReactNode;
  /** Buttons that concern the whole page. */
  actions?: ReactNode;
  /** Whether heading and actions stay in view on a large screen. */
  pinned?: boolean;
  /** Limits the width, for pages of text and forms. */
  narrow?: boolean;
  /** Why what it shows could not be read again. */
  problem?: string | null;
  children?: ReactNode;
}

/** Whether there is a page around, whose title is the main heading. */
export const WithinPage = createContext(false);

/** A page that scrolls: heading, a sentence, the page's actions, its content. What the bar above says already is a heading for screen readers only. */
export function Page(props: Props) {
  const { title, lead, actions, pinned, narrow = false, problem = null, children } = props;
  const isNamedAbove = useAtom(barNameAtom) === title;
  return (
    <div className={classes.page} data-narrow={narrow || undefined}>
      <Group
        component="header"
        className={classes.header ?? ""}
        data-pinned={pinned || undefined}
        gap="12px 24px"
        align="flex-start"
        justify="space-between"
      >
        <div className={classes.head}>
          <Text
            component="h1"
            className={isNamedAbove ? "wf-visually-hidden" : ""}
            fz="xl"
            fw={600}
            lts="-0.022em"
            lh={1.3}
          >
            {title}
          </Text>
          {lead && (
            <Text maw="100ch" mt={isNamedAbove ? 0 : 4} c="dimmed" textWrap="balance">
              {lead}
            </Text>
          )}
        </div>
        {actions && (
          <Group gap={8} align="stretch">
            {actions}
          </Group>
        )}
      </Group>
      <WithinPage value={true}>
        <FormProblem problem={problem} focus={false} />
        {children}
      </WithinPage>
    </div>
  );
}
