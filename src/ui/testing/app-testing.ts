/** `#app/ui/testing`: what the tests of pages of own features are made of. */
export { openPages, refusal } from "./pages.ts";
