export { checkFactor, factorWanted, type GivenFactor, takeFactor, totpSealing } from "./check-code.ts";
