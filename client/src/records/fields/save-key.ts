interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
}

/** Ctrl or ⌘ with Enter saves in every editor, whatever Enter alone does there. */
export function isSaveKey({ key, ctrlKey, metaKey }: Key): boolean {
  return key === "Enter" && (ctrlKey || metaKey);
}
