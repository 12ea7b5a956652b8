/** What became of one stage of `npm test`. A stage that is not made of tests counts as one. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, one text each: told again at the end, where a shortened log still has it. */
  readonly failures?: readonly string[];
}

/** One stage: its name and the work. */
export interface Stage {
  readonly name: string;
  run(): Promise<StageResult>;
}
