export { totpSealing } from "./check-code.ts";
