/** The colour schemes that a person can choose, in the words of the interface. */
export const schemes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;
