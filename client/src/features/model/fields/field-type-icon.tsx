import {
  type Icon,
  IconAbc,
  IconAlignLeft,
  IconBraces,
  IconCalendar,
  IconCash,
  IconCheckbox,
  IconCircleDot,
  IconClock,
  IconDecimal,
  IconHourglass,
  IconLink,
  IconListCheck,
  IconMail,
  IconNumber123,
  IconPercentage,
  IconPhone,
  IconUser,
  IconWorld,
} from "@tabler/icons-react";
import type { FieldType } from "../../../../../shared/model/field-types.ts";

const icons: Record<FieldType, Icon> = {
  text: IconAbc,
  longText: IconAlignLeft,
  integer: IconNumber123,
  decimal: IconDecimal,
  money: IconCash,
  percent: IconPercentage,
  boolean: IconCheckbox,
  date: IconCalendar,
  timestamp: IconClock,
  duration: IconHourglass,
  select: IconCircleDot,
  multiSelect: IconListCheck,
  person: IconUser,
  link: IconLink,
  email: IconMail,
  url: IconWorld,
  phone: IconPhone,
  json: IconBraces,
};

/** The icon of a type, always next to its name. */
export function FieldTypeIcon({ type }: { type: FieldType }) {
  const Sign = icons[type];
  return <Sign size={18} stroke={1.6} aria-hidden="true" />;
}
