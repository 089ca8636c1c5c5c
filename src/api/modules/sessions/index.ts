export { beginSession } from "./begin-session.ts";
export {
  forgetDevices,
  insertDevice,
  removeOldDevices,
  returnDeviceTry,
  takeDeviceTry,
  wasSignedIn,
} from "./device-store.ts";
export { type Browser, replaceSession } from "./replace-session.ts";
export {
  endSession,
  endSessionById,
  endSessionsOf,
  findSession,
  listSessions,
  type StoredSession,
  touchSession,
} from "./store.ts";
