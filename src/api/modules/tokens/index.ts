export { tokenRoutes } from "./routes.ts";
export { findChangedTokens, findToken, liveTokens, type StoredToken, touchToken } from "./store.ts";
