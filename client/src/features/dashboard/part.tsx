import { type ReactNode, useId } from "react";
import { Hint } from "../../ui/texts.ts";

/** A section of the dashboard with its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Hint id={id} component="h2" mb={10} fw={560}>
        {title}
      </Hint>
      {children}
    </section>
  );
}
