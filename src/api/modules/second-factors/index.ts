export {
  changeFactors,
  checkFactor,
  factorWanted,
  forgetWrongCodes,
  type GivenFactor,
  noteFactorAdded,
  noticeFor,
  offersFactors,
  onField,
  refuseUnoffered,
  settleOwnFactors,
  totpSealing,
} from "./check-code.ts";
export {
  countRecoveryCodes,
  findFactorWays,
  removeFactors,
  removeFactorsAfter,
  selectFactors,
} from "./store.ts";
