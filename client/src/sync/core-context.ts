import type { Json } from "../../../shared/filter/filter.ts";
import type { TextOrder } from "../../../shared/filter/text-order.ts";
import type { ClientLimits } from "../../../shared/limits.ts";
import type { Field, Model } from "../../../shared/model/model.ts";

/** Who works here and on what model; read anew at every use, so a new model needs no new core. */
export interface CoreContext {
  user: { id: string; name: string; attributes: Readonly<Record<string, Json>> };
  model: Model;
  /** What the server takes and gives. */
  limits: ClientLimits;
  /** How the server orders texts. */
  textOrder: TextOrder;
  /** The label of a value of a link or user field: null if there is none that the user may see, undefined if it is not known. */
  labelOf?: (field: Field, id: string) => string | null | undefined;
}
