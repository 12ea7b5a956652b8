import { Choice } from "./draft-inputs.tsx";

interface Props {
  label: string;
  zone: string | undefined;
  /** The label of no time zone; if missing, one is required. */
  none?: string;
  onZone(zone: string | undefined): void;
}

/** One of the time zones that the browser supports. */
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
