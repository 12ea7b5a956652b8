/** The marks by which password managers leave an input alone: what they fill in would be stored when the focus leaves it. */
export const noFill = {
  "data-1p-ignore": true,
  "data-bwignore": true,
  "data-lpignore": "true",
  "data-form-type": "other",
  autoComplete: "off",
} as const;
