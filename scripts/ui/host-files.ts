import * as react from "react";
import * as jsxRuntime from "react/jsx-runtime";
import * as reactDom from "react-dom";
import * as sdk from "#ui/plugin-host/plugin-sdk.ts";
import * as ui from "#ui/plugin-host/plugin-ui.ts";
import { bundleScript } from "./bundle-script.ts";

/** Where the server offers these files. */
const folder = "/api/plugin-host";

/** What plugins in the host's own window share with it: the name that they import, the file that stands for it, and the module. */
const shared: readonly { name: string; file: string; module: object }[] = [
  { name: "react", file: "react.js", module: react },
  { name: "react/jsx-runtime", file: "react-jsx-runtime.js", module: jsxRuntime },
  { name: "react-dom", file: "react-dom.js", module: reactDom },
  { name: "@atrium/plugin-sdk", file: "sdk.js", module: sdk },
  { name: "@atrium/plugin-sdk/ui", file: "sdk-ui.js", module: ui },
];

/** Tells browsers where those names lead; it stands in the documents of the admin area. */
export const importMap = JSON.stringify({
  imports: Object.fromEntries(shared.map(({ name, file }) => [name, `${folder}/${file}`])),
});

/** The files by name: one for each shared module, and the script of the frames in which untrusted plugins run. */
export const buildHostFiles = async (): Promise<Map<string, Uint8Array>> => {
  const encoder = new TextEncoder();
  const files = new Map(shared.map(({ name, file, module }) => [file, encoder.encode(shimOf(name, module))]));
  files.set("frame.js", encoder.encode(await bundleScript("plugin-host/frame/frame.ts", "esm")));
  return files;
};

/** A module that hands on the host's own copy: there is only one React in a window. */
const shimOf = (name: string, module: object): string => {
  const names = Object.keys(module).filter((key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default");
  return [
    `const m=globalThis.__ATRIUM_SHARED__[${JSON.stringify(name)}];`,
    "export default m.default??m;",
    ...names.map((key) => `export const ${key}=m.${key};`),
  ].join("\n");
};
