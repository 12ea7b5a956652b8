/** Selects the label of what was just added, so that typing replaces it. */
export function selectOnce(input: HTMLInputElement | null): void {
  if (!input || input.dataset.met) return;
  input.dataset.met = "yes";
  input.focus();
  input.select();
}
