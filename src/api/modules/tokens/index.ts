export {
  findChangedTokens,
  findToken,
  liveTokens,
  revokeTokensOf,
  type StoredToken,
  touchToken,
} from "./store.ts";
