/** Why a backup was not written or restored: one sentence for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
