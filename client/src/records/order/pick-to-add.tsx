import { NativeSelect } from "@mantine/core";

interface Props {
  /** The label of the select, for example `Add column`. */
  label: string;
  choices: readonly { name: string; label: string }[];
  size?: "xs" | "sm";
  width?: number;
  onPick(name: string): void;
}

/** A select that adds the picked value elsewhere and is empty again. */
export function PickToAdd({ label, choices, size = "xs", width, onPick }: Props) {
  return (
    <NativeSelect
      size={size}
      {...(width ? { w: width } : {})}
      aria-label={label}
      value=""
      data={[
        { value: "", label: `${label}…` },
        ...choices.map(({ name, label: text }) => ({ value: name, label: text })),
      ]}
      onChange={(event) => {
        if (event.currentTarget.value) onPick(event.currentTarget.value);
      }}
    />
  );
}
