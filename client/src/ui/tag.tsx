import { Text, type TextProps } from "@mantine/core";
import type { ReactNode } from "react";

const tones = {
  neutral: { bg: "var(--wf-raised)", c: "dimmed" },
  good: { bg: "var(--wf-accent-soft)", c: "var(--wf-accent-text)" },
  warn: { bg: "var(--wf-warn-soft)", c: "var(--wf-warn)" },
  bad: { bg: "var(--wf-bad-soft)", c: "var(--wf-bad)" },
};

interface Props extends TextProps {
  tone: keyof typeof tones;
  children: ReactNode;
}

/** A short word or a count in a tinted frame, beside the name that it is about. */
export function Tag({ tone, ...props }: Props) {
  return (
    <Text span px={7} bdrs="lg" fz="xs" fw={600} textWrap="nowrap" {...tones[tone]} {...props} />
  );
}
