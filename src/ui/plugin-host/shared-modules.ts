import react from "react";
import * as jsxRuntime from "react/jsx-runtime";
import reactDom from "react-dom";
import * as sdk from "./plugin-sdk.ts";
import * as ui from "./plugin-ui.ts";

/** Gives frontends in this window the host's own modules: there is only one React in a window. */
export const shareModules = (): void => {
  Object.assign(globalThis, {
    __ATRIUM_SHARED__: {
      react,
      // The host's own runtime has one function for both: in production they are the same.
      "react/jsx-runtime": jsxRuntime,
      "react-dom": reactDom,
      "@atrium/plugin-sdk": sdk,
      "@atrium/plugin-sdk/ui": ui,
    },
  });
};
