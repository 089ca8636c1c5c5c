export {
  checkFactor,
  factorWanted,
  type GivenFactor,
  onField,
  takeFactor,
  totpSealing,
} from "./check-code.ts";
