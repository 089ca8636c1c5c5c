export { type ActivityStreams, createActivityStreams } from "./activity-streams.ts";
export {
  type ActivityWriter,
  createActivityWriter,
} from "./activity-writer.ts";
export { countInbox } from "./chain-store.ts";
export { textWithoutSecrets, withoutSecrets } from "./draft.ts";
export { createRetentionWorker } from "./retention.ts";
export { verifyActivity } from "./verify-activity.ts";
export { adoptChain, countSealKeys, type FormerEnds, type KeyCounts, resealChain } from "./verify-store.ts";
