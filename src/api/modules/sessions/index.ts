export { liveAdminSessions } from "./admin-store.ts";
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
  countSessions,
  endSession,
  endSessionById,
  endSessionsOf,
  findChanged,
  findSession,
  holdSession,
  listSessions,
  type SessionTouch,
  type StoredSession,
  touchSessions,
} from "./store.ts";
export { removeSurplusDevices, removeSurplusSessions } from "./surplus-store.ts";
