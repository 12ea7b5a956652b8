import { ActionIcon, Button, Group, Popover, Stack, UnstyledButton } from "@mantine/core";
import { IconCalendar, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { type RefObject, useEffect, useState } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import { fieldMessages as messages } from "../../messages/en/fields.ts";
import { useLatest } from "../../ui/use-latest.ts";
import classes from "./day-picker.module.css";
import {
  addDays,
  addMonths,
  firstDayOfWeek,
  formatDay,
  formatMonth,
  formatTime,
  localText,
  parseDay,
  parseInstant,
  weekdayNames,
} from "./instant.ts";

const WEEK_DAYS = 7;
const WEEKS = 6;
/** When a day of work ends, and its other usual times. */
const END_OF_DAY = "17:00";
const TIMES = ["09:00", "12:00", "15:00", END_OF_DAY];
const DAY_LENGTH = "YYYY-MM-DD".length;

interface Props {
  field: Field;
  text: string;
  /** The input that the day is written into. It keeps the focus, so that leaving it saves the day like typed text. */
  input: RefObject<HTMLElement | null>;
  onPick(text: string): void;
}

/**
 * A button that opens a calendar for the text of an input. Neither takes the focus, because dates can be typed, and Tab has to lead to the next
 * cell. Alt and the arrow down open it, too; then arrows go from day to day and from week to week, and Page Up and Page Down from month to month.
 */
export function DayPicker({ field, text, input, onPick }: Props) {
  const [opened, setOpened] = useState(false);
  const [shown, setShown] = useState("");
  const withTime = field.type === "timestamp";
  const today = localText(new Date().toISOString()).slice(0, DAY_LENGTH);
  const picked = pickedDay(text, withTime);
  const time = pickedTime(text) ?? END_OF_DAY;
  const month = (shown || picked?.day || today).slice(0, -3);
  const write = (day: string, at = picked?.time ?? time) => {
    setShown("");
    onPick(withTime ? `${day} ${at}` : day);
  };
  const close = () => {
    setOpened(false);
    setShown("");
  };
  const latest = useLatest((event: KeyboardEvent) => {
    const { key, altKey } = event;
    const step = steps[key];
    if (!opened && altKey && key === "ArrowDown") setOpened(true);
    else if (opened && key === "Escape") close();
    else if (opened && step && !altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey)
      write(step(picked?.day ?? today));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const element = input.current;
    const onKey = (event: KeyboardEvent) => latest.current(event);
    const onBlur = () => setOpened(false);
    element?.addEventListener("keydown", onKey);
    element?.addEventListener("blur", onBlur);
    return () => {
      element?.removeEventListener("keydown", onKey);
      element?.removeEventListener("blur", onBlur);
    };
  }, [input]);
  return (
    <span className={classes.place} data-picker>
      <Popover
        opened={opened}
        position="bottom-end"
        shadow="md"
        trapFocus={false}
        returnFocus={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        transitionProps={{ duration: 0 }}
        withRoles={false}
      >
        <Popover.Target>
          <ActionIcon
            size={24}
            radius="sm"
            tabIndex={-1}
            aria-label={messages.openCalendar({ field: field.label })}
            aria-expanded={opened}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              input.current?.focus();
              if (opened) close();
              else setOpened(true);
            }}
          >
            <IconCalendar size={16} aria-hidden="true" />
          </ActionIcon>
        </Popover.Target>
        {/* The focus stays in the input, and a click does not count as outside of a filter around it. */}
        <Popover.Dropdown
          p={12}
          onMouseDown={(event) => {
            event.preventDefault();
            event.stopPropagation();
          }}
          onTouchStart={(event) => event.stopPropagation()}
        >
          <Group gap={12} align="flex-start" wrap="nowrap">
            <Stack gap={2} className={classes.shortcuts}>
              {shortcuts(today, withTime).map(({ label, day, at }) => (
                <Shortcut key={label} label={label} onPick={() => write(day, at ?? time)} />
              ))}
              {text !== "" && !field.required && (
                <Shortcut label={messages.clearDay()} onPick={() => onPick("")} />
              )}
            </Stack>
            <Month
              month={month}
              today={today}
              picked={picked?.day}
              onMonth={(by) => setShown(addMonths(`${month}-01`, by))}
              onPick={(day) => {
                write(day);
                if (!withTime) close();
              }}
            />
          </Group>
          {withTime && (
            <Group gap={4} mt={8} justify="flex-end">
              {TIMES.map((at) => (
                <Button
                  key={at}
                  size="compact-xs"
                  variant={picked?.time === at ? "light" : "subtle"}
                  color={picked?.time === at ? undefined : "gray"}
                  tabIndex={-1}
                  onClick={() => write(picked?.day ?? today, at)}
                >
                  {formatTime(`${today}T${at}`)}
                </Button>
              ))}
            </Group>
          )}
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}

/** What keys do while the calendar is open. */
const steps: Readonly<Record<string, (day: string) => string>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -WEEK_DAYS),
  ArrowDown: (day) => addDays(day, WEEK_DAYS),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

/** The days that are most often meant, and a time where it belongs to the choice. */
function shortcuts(today: string, withTime: boolean) {
  const isOver = Date.now() > Date.parse(`${today}T${END_OF_DAY}`);
  const end = formatTime(`${today}T${END_OF_DAY}`);
  const ofToday = withTime
    ? { label: messages.todayAt({ time: end }), day: today, at: END_OF_DAY }
    : { label: messages.today(), day: today, at: undefined };
  return [
    ...(withTime && isOver ? [] : [ofToday]),
    { label: messages.tomorrow(), day: addDays(today, 1), at: undefined },
    { label: messages.inDays({ count: 3 }), day: addDays(today, 3), at: undefined },
    { label: messages.inAWeek(), day: addDays(today, WEEK_DAYS), at: undefined },
  ];
}

function Shortcut({ label, onPick }: { label: string; onPick(): void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      fw={400}
      justify="flex-start"
      tabIndex={-1}
      onClick={onPick}
    >
      {label}
    </Button>
  );
}

interface MonthProps {
  /** `YYYY-MM`. */
  month: string;
  today: string;
  picked: string | undefined;
  onMonth(by: 1 | -1): void;
  onPick(day: string): void;
}

/** The days of a month in weeks, with those of its neighbours around them. */
function Month({ month, today, picked, onMonth, onPick }: MonthProps) {
  const first = `${month}-01`;
  const weekday = new Date(`${first}T00:00:00Z`).getUTCDay();
  const before = (weekday - firstDayOfWeek() + WEEK_DAYS) % WEEK_DAYS;
  const days = Array.from({ length: WEEKS * WEEK_DAYS }, (_, at) => addDays(first, at - before));
  return (
    <div>
      <Group gap={4} mb={4} justify="space-between" wrap="nowrap">
        <ActionIcon
          size={24}
          tabIndex={-1}
          aria-label={messages.previousMonth()}
          onClick={() => onMonth(-1)}
        >
          <IconChevronLeft size={16} aria-hidden="true" />
        </ActionIcon>
        <strong className={classes.month}>{formatMonth(first)}</strong>
        <ActionIcon
          size={24}
          tabIndex={-1}
          aria-label={messages.nextMonth()}
          onClick={() => onMonth(1)}
        >
          <IconChevronRight size={16} aria-hidden="true" />
        </ActionIcon>
      </Group>
      <div className={classes.days}>
        {weekdayNames().map((name) => (
          <span key={name} className={classes.weekday}>
            {name}
          </span>
        ))}
        {days.map((day) => (
          <UnstyledButton
            key={day}
            tabIndex={-1}
            className={classes.day}
            data-other={day.slice(0, -3) !== month || undefined}
            data-today={day === today || undefined}
            aria-pressed={day === picked}
            aria-label={formatDay(day)}
            onClick={() => onPick(day)}
          >
            {Number(day.slice(-2))}
          </UnstyledButton>
        ))}
      </div>
    </div>
  );
}

/** The day of a text, and its time where it has one; null where it is no date yet. */
function pickedDay(text: string, withTime: boolean): { day: string; time?: string } | null {
  const instant = withTime ? parseInstant(text) : null;
  if (instant) {
    const local = localText(instant);
    return { day: local.slice(0, DAY_LENGTH), time: local.slice(DAY_LENGTH + 1) };
  }
  const day = parseDay(text);
  return day ? { day } : null;
}

function pickedTime(text: string): string | undefined {
  return pickedDay(text, true)?.time;
}
