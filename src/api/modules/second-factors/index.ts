export {
  changeFactors,
  noteFactorAdded,
  noticeFor,
  offersFactors,
  refuseUnoffered,
  settleOwnFactors,
} from "./change-factors.ts";
export {
  checkFactor,
  factorWanted,
  forgetWrongCodes,
  type GivenFactor,
  onField,
  totpSealing,
} from "./check-code.ts";
export {
  countRecoveryCodes,
  findFactorWays,
  removeFactors,
  removeFactorsAfter,
  selectFactors,
} from "./store.ts";
