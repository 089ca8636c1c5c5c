export { findOpenChange } from "./store.ts";
