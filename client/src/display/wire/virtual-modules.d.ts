declare module "virtual:wall-schemas" {
  /** By the name of their message; made by client/wall-schemas.ts. */
  export const schemas: Record<string, unknown>;
}
