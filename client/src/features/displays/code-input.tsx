import { TextInput } from "@mantine/core";
import { displaysMessages as messages } from "../../messages/en/displays.ts";
import classes from "./displays.module.css";

/** The pairing code: 8 characters. Spaces, dashes and case are ignored. */
export function CodeInput({ initial }: { initial: string }) {
  return (
    <TextInput
      name="code"
      label={messages.code()}
      placeholder={messages.codeExample()}
      defaultValue={initial}
      required
      withAsterisk={false}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      pattern="\s*([0-9A-Za-z][\s\-]*){8}"
      title={messages.codeFormat()}
      classNames={{ input: classes.code as string }}
      data-autofocus={initial === "" || undefined}
    />
  );
}
