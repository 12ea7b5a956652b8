import { Choice } from "./draft-inputs.tsx";

interface Props {
  label: string;
  zone: string | undefined;
  /** What it means that none is chosen; without it one has to be. */
  none?: string;
  onZone(zone: string | undefined): void;
}

/** A time zone of those that this browser knows. */
export function ZoneChoice({ label, zone = "", none, onZone }: Props) {
  const known = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((one) => one !== "UTC")];
  const all = zone === "" || known.includes(zone) ? known : [zone, ...known];
  const choices = all.map((one) => [one, one.replaceAll("_", " ")] as const);
  return (
    <Choice
      label={label}
      value={zone}
      choices={none === undefined ? choices : [["", none] as const, ...choices]}
      onValue={(value) => onZone(value || undefined)}
    />
  );
}
