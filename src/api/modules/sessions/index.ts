export {
  type Browser,
  beginSession,
  type IssuedSession,
  type ProviderSession,
  renewSession,
  replaceSession,
  sessionsOf,
} from "./begin-session.ts";
export {
  forgetDevices,
  insertDevice,
  removeOldDevices,
  returnDeviceTry,
  takeDeviceTry,
  wasSignedIn,
} from "./device-store.ts";
export { endAfterUse, lastEnd, sessionEnd, sessionTimes } from "./session-end.ts";
export {
  countSessions,
  endSession,
  endSessionById,
  endSessionsOf,
  endSessionsOfProvider,
  findAdminSessions,
  findChanged,
  findSession,
  forgetConfirmation,
  forgetFactor,
  holdSession,
  listSessions,
  noteFactor,
  removeSurplusDevices,
  removeSurplusSessions,
  type SessionTouch,
  type StoredSession,
  touchSessions,
} from "./store.ts";
