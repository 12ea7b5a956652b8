/** The result of one stage of `npm test`. A stage that is not made of tests counts as one. */
export interface StageResult {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, one text each: repeated at the end, where a shortened log still has it. */
  readonly failures?: readonly string[];
  /** Shown in the summary, where counts alone would be misleading. */
  readonly remark?: string;
}

/** Receives a stage's output. Stages run in parallel, so each one's output is printed when it has ended. */
export type Write = (text: string) => void;

/** One stage: its name and the work. */
export interface Stage {
  readonly name: string;
  run(write: Write): Promise<StageResult>;
}
