import { TextInput } from "@mantine/core";
import classes from "./displays.module.css";

/** The code from the wall: 8 characters; spaces, dashes and small letters do not matter. */
export function CodeInput({ initial }: { initial: string }) {
  return (
    <TextInput
      name="code"
      label="Code on the screen"
      placeholder="ABCD EFGH"
      defaultValue={initial}
      required
      withAsterisk={false}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={20}
      pattern="\s*([0-9A-Za-z][\s\-]*){8}"
      title="8 letters and digits"
      classNames={{ input: classes.code as string }}
      data-autofocus={initial === "" || undefined}
    />
  );
}
