import { ts } from "@ts-morph/common";

// biome-ignore lint/style/noDefaultExport: it replaces a package with a default export.
export default ts;
