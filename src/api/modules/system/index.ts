export { createReadiness } from "./create-readiness.ts";
export { describeDatabase } from "./read-system-info.ts";
export { recordUpgrade } from "./record-upgrade.ts";
export { selectSupportFacts } from "./support-store.ts";
