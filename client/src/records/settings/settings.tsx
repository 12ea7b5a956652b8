import { NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { patched } from "../../../../shared/model/pick-values.ts";
import { fieldMessages } from "../../messages/en/fields.ts";
import { noFill } from "../../ui/no-fill.ts";
import { useBeforeLeaving } from "../../ui/use-before-leaving.ts";
import { plainNumber, settingNumber, ungroupedNumber } from "../fields/number-text.ts";

/**
 * Settings as data. A tile of a wallboard and a field of the model have dozens of settings, and each of these is met in several
 * places: an input draws it, a conflict names it, a comparison of versions says its value. A list describes each setting once, and
 * everything is derived from the list: `SettingsForm` draws the inputs, `settingWords` names and words them in conflicts and comparisons.
 *
 * What must stay apart is *when* a typed text becomes an edit, because two kinds of documents are edited. An edit of a wallboard is
 * sent at once and may be in conflict with what somebody stored meanwhile, so a text is one edit when its input is left, based on
 * the value at which its author began (ADR 14). The model is a local draft, where each letter is checked beside the whole model, and
 * letters are joined by the undo of the draft (ADR 11). `Look.writesOn` says which.
 *
 * A setting that needs an input of its own names a component as its control.
 */
export type Setting<T extends object, C> = Description<T, C> &
  (
    | TextSetting<T, C>
    | NumberSetting<T, C>
    | ChoiceSetting<T, C>
    | ToggleSetting<T, C>
    | { control: (props: ControlProps<T, C>) => ReactNode }
    /** Changed elsewhere than in a form, such as the place of a tile. */
    | { control?: undefined }
  );

/** What forms, conflicts and comparisons say of a setting. `T` has the setting, `C` is what its form knows besides. */
interface Description<T, C> {
  /** The property, by which it is addressed in the document's tree; a name of its own where it is none, or several. */
  key: string;
  label(): string;
  /** What it is called within a sentence, if not by its label. */
  name?(): string;
  hint?(of: T, form: C): string | undefined;
  /** Whether the hint is below the input, so that inputs in a row are beside each other. */
  hintBelow?: true;
  applies?(of: T, form: C): boolean;
  /** How a value reads, if it is not the label of a choice, yes or no, or plain. */
  text?(value: Json, wording: Wording): string;
  /** How no value reads; also shown in an empty input. */
  none?(): string;
}

/** How the value is read and written, if it is not simply the property. What is empty or off is undefined. */
interface Access<T, C, Value> {
  read?(of: T, form: C): Value | undefined;
  write?(was: T, value: Value | undefined, form: C): T;
}

interface TextSetting<T, C> extends Access<T, C, string> {
  control: "text";
  /** The lines of a text area; "auto" grows with the text. Without, Enter ends the input and blanks at both ends are dropped. */
  lines?: number | "auto";
  maxLength?: number;
  /** An example, if none is how no value reads. */
  placeholder?(): string;
  /** An emptied input is not an edit. */
  required?: true;
  spellCheck?: false;
}

interface NumberSetting<T, C> extends Access<T, C, number> {
  control: "number";
  min?: number;
  max?: number;
  decimals?: number;
  /** What an emptied input means. */
  usual?: number;
  /** An emptied input is not an edit. */
  required?: true;
}

interface ChoiceSetting<T, C> extends Access<T, C, string> {
  control: "choice";
  /** The labels by value, also of no value; or the values that this part may have. */
  choices: Readonly<Record<string, () => string>> | ((of: T, form: C) => Choices);
  /** The choice that no value means; by default the empty one. */
  absent?: string;
  disabled?(of: T, form: C): boolean;
}

type Choice = readonly [value: string, label: string | (() => string)];
export type Choices = readonly (Choice | { group: string; items: readonly Choice[] })[];

interface ToggleSetting<T, C> extends Access<T, C, boolean> {
  control: "toggle";
}

type More<T, C, Control> = Omit<Description<T, C> & Control, "key" | "label" | "control">;

/** Settings by the kinds of their controls. */
export function text<T extends object, C>(
  key: string,
  label: () => string,
  more: More<T, C, TextSetting<T, C>> = {},
): Setting<T, C> {
  return { key, label, control: "text", ...more };
}

export function number<T extends object, C>(
  key: string,
  label: () => string,
  more: More<T, C, NumberSetting<T, C>> = {},
): Setting<T, C> {
  return { key, label, control: "number", ...more };
}

export function choice<T extends object, C>(
  key: string,
  label: () => string,
  more: More<T, C, ChoiceSetting<T, C>>,
): Setting<T, C> {
  return { key, label, control: "choice", ...more };
}

export function toggle<T extends object, C>(
  key: string,
  label: () => string,
  more: More<T, C, ToggleSetting<T, C>> = {},
): Setting<T, C> {
  return { key, label, control: "toggle", ...more };
}

/** A setting with an input of its own, or none. */
export function custom<T extends object, C>(
  key: string,
  label: () => string,
  more: More<T, C, object> & { control?: (props: ControlProps<T, C>) => ReactNode },
): Setting<T, C> {
  return { key, label, ...more };
}

/** Names what values refer to, in the words of a kind of document. */
export interface Wording {
  field(name: string): string;
  table(name: string): string;
  yes(): string;
  no(): string;
  none(): string;
  plain(value: Json): string;
}

/** Settings below each other; those of an inner list are in one row. */
export type Rows<T extends object, C> = readonly (Setting<T, C> | readonly Setting<T, C>[])[];

/** The setting with a key, if possible the one that applies. */
export function findSetting<T extends object, C>(
  rows: Rows<T, C>,
  key: string,
  applies: (setting: Setting<T, C>) => boolean = () => true,
): Setting<T, C> | undefined {
  const found = rows.flat().filter((setting) => setting.key === key);
  return found.find(applies) ?? found[0];
}

/** What is changed elsewhere and has no better name than its key. */
export function unnamed(key: string): { key: string; label(): string; control?: undefined } {
  return { key, label: () => key };
}

/** How conflicts and comparisons name a setting and word its values. */
export function settingWords<T extends object, C>(setting: Setting<T, C>, wording: Wording) {
  return {
    name: (setting.name ?? setting.label)(),
    text: (value: Json | undefined) => valueText(setting, value, wording),
  };
}

function valueText<T extends object, C>(
  setting: Setting<T, C>,
  value: Json | undefined,
  wording: Wording,
): string {
  const isSet = value !== undefined && value !== null;
  if (isSet && setting.text) return setting.text(value, wording);
  if (!isSet && setting.none) return setting.none();
  if (setting.control === "toggle") return value === true ? wording.yes() : wording.no();
  if (setting.control === "choice" && typeof setting.choices === "object") {
    const label = setting.choices[isSet ? String(value) : (setting.absent ?? "")];
    if (label) return label();
  }
  return isSet ? wording.plain(value) : wording.none();
}

/** How a form looks, and when what is typed in it is written. */
interface Look {
  size?: "xs";
  /** The class of a row, by the number of its settings. */
  row(count: number): string | undefined;
  writesOn: "blur" | "input";
}

interface FormProps<T extends object, C> {
  of: T;
  form: C;
  look: Look;
  /** Edits the part. Successive edits with one tag may be undone together. */
  edit(update: (was: T) => T, tag?: string): void;
  /** What is wrong with a property, or with one below it. */
  problem?(...at: string[]): string | undefined;
}

export interface ControlProps<T extends object, C> extends FormProps<T, C> {
  setting: Setting<T, C>;
}

/** The inputs of the settings that apply. */
export function SettingsForm<T extends object, C>({
  rows,
  ...rest
}: FormProps<T, C> & { rows: Rows<T, C> }) {
  const { of, form, look } = rest;
  const control = (setting: Setting<T, C>, place: number) =>
    setting.control &&
    (setting.applies?.(of, form) ?? true) && (
      <SettingControl key={place} setting={setting} {...rest} />
    );
  return rows.map((row, index) => {
    if (!isRow(row)) return control(row, index);
    const shown = row.map(control);
    return (
      shown.some(Boolean) && (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list of settings never changes.
        <div key={index} className={look.row(row.length)}>
          {shown}
        </div>
      )
    );
  });
}

function isRow<T>(row: T | readonly T[]): row is readonly T[] {
  return Array.isArray(row);
}

/** Whether a form of these settings has any input. */
export function appliesAny<T extends object, C>(rows: Rows<T, C>, of: T, form: C): boolean {
  return rows.flat().some(({ control, applies }) => control && (applies?.(of, form) ?? true));
}

/** Settings that apply only under a further condition. */
export function when<T extends object, C>(
  condition: (of: T) => boolean,
  rows: Rows<T, C>,
): Rows<T, C> {
  const limit = (setting: Setting<T, C>) => ({
    ...setting,
    applies: (of: T, form: C) => condition(of) && (setting.applies?.(of, form) ?? true),
  });
  return rows.map((row) => (isRow(row) ? row.map(limit) : limit(row)));
}

/** The control of a setting whose value, an object, has settings of its own. */
export function nested<P extends object, C>(rows: Rows<P, C>) {
  return function Nested<T extends object>({
    setting: { key },
    of,
    edit,
    problem,
    ...rest
  }: ControlProps<T, C>) {
    const read = (whole: T) => (whole as Readonly<Record<string, unknown>>)[key] as P;
    return (
      <SettingsForm
        {...rest}
        rows={rows}
        of={read(of)}
        edit={(update, tag) =>
          edit((was) => patched(was, { [key]: update(read(was)) } as Partial<T>), tag && key)
        }
        problem={(...at) => problem?.(key, ...at)}
      />
    );
  };
}

function SettingControl<T extends object, C>(props: ControlProps<T, C>) {
  const { setting } = props;
  const { control: Control } = setting;
  if (typeof Control === "function") return <Control {...props} />;
  switch (setting.control) {
    case "text":
      return <TextControl {...props} setting={setting} />;
    case "number":
      return <NumberControl {...props} setting={setting} />;
    case "choice":
      return <ChoiceControl {...props} setting={setting} />;
    case "toggle":
      return <ToggleControl {...props} setting={setting} />;
    default:
      return null;
  }
}

type Props<T extends object, C, S> = FormProps<T, C> & { setting: Description<T, C> & S };

/** The value of a setting, whose type the kind of control says and the schema of the document ensures, and what writes it. */
function access<T extends object, C, Value>(
  { setting, of, form, edit }: Props<T, C, Access<T, C, Value>>,
  tag?: string,
) {
  const { key, read, write } = setting;
  const property = (of as Readonly<Record<string, unknown>>)[key] as Value | undefined;
  return {
    value: read ? read(of, form) : property,
    write: (value: Value | undefined) =>
      edit(
        (was) => (write ? write(was, value, form) : patched(was, { [key]: value } as Partial<T>)),
        tag,
      ),
  };
}

/** What all inputs show alike. */
function shownOf<T extends object, C>({ setting, of, form, look, problem }: Props<T, C, object>) {
  return {
    label: setting.label(),
    description: setting.hint?.(of, form),
    error: problem?.(setting.key),
    ...(look.size && { size: look.size }),
    ...(setting.hintBelow && { inputWrapperOrder: [...hintBelow] }),
  };
}

const hintBelow = ["label", "input", "description", "error"] as const;

function TextControl<T extends object, C>(props: Props<T, C, TextSetting<T, C>>) {
  const { setting, look } = props;
  const { lines, maxLength, required, placeholder = setting.none, spellCheck } = setting;
  const { value = "", write } = access(props, setting.key);
  const atOnce = look.writesOn === "input";
  const { typed, type, commit } = useTyped(value, atOnce, (text) => {
    const wanted = atOnce || lines ? text : text.trim();
    if (wanted || !required) write(wanted || undefined);
  });
  const input = {
    ...shownOf(props),
    value: atOnce ? value : (typed ?? value),
    placeholder: placeholder?.(),
    maxLength,
    spellCheck,
    onBlur: commit,
  };
  if (lines !== undefined) {
    return (
      <Textarea
        {...noFill}
        {...input}
        {...(lines === "auto" ? { autosize: true, minRows: 1 } : { rows: lines })}
        onChange={(event) => type(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...noFill}
      {...input}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !atOnce) event.currentTarget.blur();
      }}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/**
 * What is typed. Written at once, or when the input is left and when it or the page goes away: then as an edit of the value at
 * which its author began, and others' changes appear until something is typed.
 */
function useTyped(value: string, atOnce: boolean, write: (text: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  const edit = useRef<{ base: string; typed: string; write(text: string): void }>(null);
  const type = (text: string) => {
    setTyped(text);
    if (atOnce) write(text);
    else edit.current = { base: value, write, ...edit.current, typed: text };
  };
  const commit = useCallback(() => {
    const { current } = edit;
    edit.current = null;
    setTyped(null);
    if (current && current.typed !== current.base) current.write(current.typed);
  }, []);
  useBeforeLeaving(commit);
  return { typed, setTyped, type, commit };
}

/**
 * A number in the user's locale; a text that is no number stays, with an error. If it is written when left, the arrows change it by
 * one, and it stays within its limits; while typing, the document's own check says what is wrong.
 */
function NumberControl<T extends object, C>(props: Props<T, C, NumberSetting<T, C>>) {
  const { setting, look } = props;
  const { usual, required, decimals = 0 } = setting;
  const { value, write } = access(props, setting.key);
  const atOnce = look.writesOn === "input";
  const stored = value === undefined ? "" : ungroupedNumber(value);
  const read = (text: string) =>
    atOnce ? numberOf(text) : settingNumber(text, { ...setting, decimals });
  const { typed, setTyped, type, commit } = useTyped(stored, atOnce, (text) => {
    const number = text.trim() === "" ? usual : (read(text) ?? undefined);
    const isUnfinished =
      text.trim() === "" ? required : number === undefined || (atOnce && /[.,]$/.test(text));
    if (!isUnfinished) write(number);
  });
  // Another value, by undo or by others, wins over what was typed, but not over "-0" on the way to "-0.5".
  useEffect(() => {
    if (atOnce) setTyped((text) => (numberOf(text ?? "") === (value ?? null) ? text : null));
  }, [atOnce, value, setTyped]);
  const shown = typed ?? stored;
  const number = read(shown);
  const isReadable = number !== null || shown.trim() === "";
  const { error, ...shared } = shownOf(props);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by === undefined || !isReadable || atOnce) return;
    event.preventDefault();
    const next = ungroupedNumber(((number ?? 0) + by).toFixed(decimals));
    type(ungroupedNumber(read(next) ?? next));
  };
  return (
    <TextInput
      {...noFill}
      {...shared}
      inputMode="decimal"
      placeholder={setting.none?.()}
      value={shown}
      error={isReadable ? error : fieldMessages.enterNumber()}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => isReadable && commit()}
    />
  );
}

function numberOf(text: string): number | null {
  const plain = plainNumber(text);
  return plain === null ? null : Number(plain);
}

function ChoiceControl<T extends object, C>(props: Props<T, C, ChoiceSetting<T, C>>) {
  const { setting, of, form } = props;
  const { choices, absent = "", disabled } = setting;
  const { value = absent, write } = access(props);
  const offered = typeof choices === "function" ? choices(of, form) : Object.entries(choices);
  const isOffered = offered.some((one) =>
    ("group" in one ? one.items : [one]).some(([choice]) => choice === value),
  );
  const item = (choice: Choice) => ({ value: choice[0], label: labelOf(choice) });
  return (
    <NativeSelect
      {...shownOf(props)}
      value={value}
      disabled={disabled?.(of, form) ?? false}
      data={[
        // What is stored is shown, also if it can't be chosen any more.
        ...(isOffered || value === "" ? [] : [value]),
        ...offered.map((one) =>
          "group" in one ? { group: one.group, items: one.items.map(item) } : item(one),
        ),
      ]}
      onChange={({ currentTarget }) =>
        write(currentTarget.value === absent ? undefined : currentTarget.value)
      }
    />
  );
}

function labelOf([, label]: Choice): string {
  return typeof label === "string" ? label : label();
}

function ToggleControl<T extends object, C>(props: Props<T, C, ToggleSetting<T, C>>) {
  const { value = false, write } = access(props);
  return (
    <Switch
      {...shownOf(props)}
      checked={value}
      onChange={(event) => write(event.currentTarget.checked || undefined)}
    />
  );
}
