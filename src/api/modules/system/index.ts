export { createReadiness } from "./create-readiness.ts";
export { describeDatabase } from "./read-system-info.ts";
export { recordUpgrade } from "./record-upgrade.ts";
export { type Probes, systemRoutes } from "./routes.ts";
export { supportRoutes } from "./support-routes.ts";
export { selectSupportFacts } from "./support-store.ts";
