export { type ActivityStreams, createActivityStreams } from "./activity-streams.ts";
export {
  type ActivityWriter,
  createActivityWriter,
} from "./activity-writer.ts";
export { activityLogRoutes } from "./log-routes.ts";
export { countSealKeys, type KeyCounts, resealChain } from "./reseal-store.ts";
export { createRetentionWorker } from "./retention-worker.ts";
export { activityRoutes } from "./routes.ts";
export { activityStreamRoutes } from "./stream-routes.ts";
