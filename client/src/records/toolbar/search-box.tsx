import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { noFill } from "../../ui/no-fill.ts";
import classes from "./toolbar.module.css";

/** A search runs when the user stops typing for this long. */
const SEARCH_DELAY_MS = 250;

interface Props {
  value: string;
  onChange(text: string): void;
  /** What is searched, if not the rows of a table. */
  label?: string;
  /** Whether it is an icon where there is little space, and opens over what is beside it. */
  collapses?: boolean;
}

/** A quick search, which runs while the user types. */
export function SearchBox({ value, onChange, label = messages.searchTable(), collapses }: Props) {
  const [text, setText] = useState(value);
  const committed = useRef(value);
  useEffect(() => {
    if (value === committed.current) return;
    committed.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === committed.current) return;
    const timer = setTimeout(() => {
      committed.current = text;
      onChange(text);
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <TextInput
      className={`${classes.search} ${collapses ? classes.collapses : ""}`}
      size="xs"
      type="search"
      {...noFill}
      placeholder={messages.search()}
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      // In a narrow place there is little more than the icon: a click on it is one on the input.
      leftSectionPointerEvents="none"
      rightSection={
        text && (
          <CloseButton size="sm" aria-label={messages.clearSearch()} onClick={() => setText("")} />
        )
      }
    />
  );
}
