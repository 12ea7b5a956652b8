import { Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Hint } from "../../ui/texts.ts";
import classes from "./part.module.css";

/** A section of a settings page: title and description on one side, the settings on the other. */
export function Part(props: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <div>
        <Title order={2} size="h3">
          {props.title}
        </Title>
        <Hint mt={4} textWrap="pretty">
          {props.text}
        </Hint>
      </div>
      <Stack gap={20}>{props.children}</Stack>
    </section>
  );
}
