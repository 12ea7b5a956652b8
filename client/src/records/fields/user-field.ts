import type { Field } from "../../../../shared/model/model.ts";

/** Any field of users, to look up the label and the colour of a user by their id. */
export const userField: Field = { name: "person", label: "Person", type: "person" };
