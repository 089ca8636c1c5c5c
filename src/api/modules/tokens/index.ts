export {
  findChangedTokens,
  findLiveTokens,
  findToken,
  revokeTokensOf,
  type StoredToken,
  touchToken,
} from "./store.ts";
