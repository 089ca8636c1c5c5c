export {
  checkFactor,
  factorWanted,
  forgetWrongCodes,
  type GivenFactor,
  onField,
  takeFactor,
  totpSealing,
} from "./check-code.ts";
export { countRecoveryCodes, removeFactors } from "./store.ts";
