import type { Pattern } from "../engine-types.ts";
import { javaPatterns } from "./code-java.ts";
import { phpPatterns } from "./code-php.ts";
import { platformPatterns } from "./code-platforms.ts";
import { requestPatterns } from "./code-requests.ts";
import { scriptPatterns } from "./code-script.ts";

/** Code for an interpreter or a template of the server. */
export const codePatterns: readonly Pattern[] = [
  ...phpPatterns,
  ...javaPatterns,
  ...scriptPatterns,
  ...platformPatterns,
  ...requestPatterns,
];
