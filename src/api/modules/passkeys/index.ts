export { type BegunCeremony, beginRegistration, beginRequest } from "./ceremonies.ts";
export {
  addPasskey,
  checkNewPasskey,
  checkPasskey,
  type GivenPasskey,
  unknownPasskey,
  usePasskey,
} from "./check-passkey.ts";
export {
  countPasskeysOfOthers,
  listPasskeys,
  removeOldCeremonies,
  removePasskeys,
  wantPassword,
} from "./store.ts";
