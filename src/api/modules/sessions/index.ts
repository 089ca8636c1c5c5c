export { type Browser, beginSession, renewSession, replaceSession } from "./begin-session.ts";
export {
  forgetDevices,
  insertDevice,
  removeOldDevices,
  returnDeviceTry,
  takeDeviceTry,
  wasSignedIn,
} from "./device-store.ts";
export {
  countSessions,
  endSession,
  endSessionById,
  endSessionsOf,
  findChanged,
  findSession,
  holdSession,
  listSessions,
  liveAdminSessions,
  noteFactor,
  removeSurplusDevices,
  removeSurplusSessions,
  type SessionTouch,
  type StoredSession,
  touchSessions,
} from "./store.ts";
