export { createStorage } from "./create-storage.ts";
export { partBytes } from "./object-copies.ts";
export type { StorageWorker } from "./storage-worker.ts";
export { readOwnName } from "./store.ts";
