import { ts } from "@ts-morph/common";

// biome-ignore lint/style/noDefaultExport: it stands in for a package with a default export.
export default ts;
