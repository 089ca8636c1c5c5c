export { type ActivityStreams, createActivityStreams } from "./activity-streams.ts";
export {
  type ActivityWriter,
  createActivityWriter,
} from "./activity-writer.ts";
export { countInbox } from "./chain-store.ts";
export { adoptChain, countSealKeys, type FormerEnds, type KeyCounts, resealChain } from "./reseal-store.ts";
export { createRetentionWorker } from "./retention-worker.ts";
export { verifyActivity } from "./verify-activity.ts";
export { textWithoutSecrets, withoutSecrets } from "./without-secrets.ts";
