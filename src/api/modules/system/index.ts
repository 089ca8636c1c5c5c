export { describeDatabase } from "./operations.ts";
export { createReadiness } from "./readiness.ts";
export { recordUpgrade } from "./record-upgrade.ts";
export { selectSupportFacts } from "./support-store.ts";
