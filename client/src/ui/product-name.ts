/** The name of the product; it is the same in all languages. */
export const PRODUCT_NAME = "Watchfloor";
