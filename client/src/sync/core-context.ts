import type { Json } from "../../../shared/filter/filter.ts";
import type { ClientLimits } from "../../../shared/limits.ts";
import type { Model } from "../../../shared/model/model.ts";

/** Who works here and on what model; read anew at every use, so a new model needs no new core. */
export interface CoreContext {
  user: { id: string; name: string; attributes: Readonly<Record<string, Json>> };
  model: Model;
  /** What the server takes and gives. */
  limits: ClientLimits;
}
