import * as frontendTypes from "#plugins/sdk/frontend-types.ts" with { type: "text" };
import * as nativeTypes from "#plugins/sdk/native-types.ts" with { type: "text" };
import * as types from "#plugins/sdk/types.ts" with { type: "text" };

/** The types of the SDK in one file that needs no other: `atrium-plugin.d.ts` of a plugin's folder. */
export const authorTypes = (): string =>
  [
    "// The types of Atrium's plugin SDK. `atrium plugin create` wrote this file; a newer one can take its place.\n",
    "type ComponentType<Props = object> = (props: Props) => unknown;\n",
    textOf(types),
    ...[nativeTypes, frontendTypes].map((more) =>
      textOf(more)
        .replace(/^import type .*\n/gm, "")
        .trimStart(),
    ),
  ].join("\n");

/** The text of a file that was imported as one, which the compiler takes for a module. */
const textOf = (module: object): string => String(Reflect.get(module, "default"));
