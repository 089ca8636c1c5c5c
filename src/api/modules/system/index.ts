export { describeDatabase, recordUpgrade } from "./operations.ts";
export { createReadiness } from "./readiness.ts";
export { selectSupportFacts } from "./store.ts";
