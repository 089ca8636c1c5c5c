/**
 * Takes away what reaches other machines past the frame's content policy, which knows nothing of WebRTC. To be called before
 * anything of the plugin's runs. There is no way back: no other realm is within reach, since a document inside the frame has an
 * origin of its own, and may run no script but this one. Throws, so that nothing is loaded, where the browser lets nothing go.
 */
export const removeNetworkApis = (realm: object): void => {
  for (const name of Object.getOwnPropertyNames(realm))
    if (networkApi.test(name) && !Reflect.deleteProperty(realm, name))
      throw new Error(`This browser does not allow removing ${name}`);
};

const networkApi = /^(?:webkit|moz)?RTC|^WebTransport/;
