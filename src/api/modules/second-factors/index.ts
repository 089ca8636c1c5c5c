export {
  checkFactor,
  factorWanted,
  type GivenFactor,
  onField,
  takeFactor,
  totpSealing,
} from "./check-code.ts";
export { countRecoveryCodes, removeFactors } from "./store.ts";
