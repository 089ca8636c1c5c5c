import { expect, test } from "bun:test";
import { removeNetworkApis } from "./remove-network-apis.ts";

test("what reaches other machines past a content policy is gone, and all else stays", () => {
  const realm = {
    RTCPeerConnection: 1,
    webkitRTCPeerConnection: 1,
    WebTransport: 1,
    fetch: 1,
    MessagePort: 1,
  };
  removeNetworkApis(realm);
  expect(Object.keys(realm)).toEqual(["fetch", "MessagePort"]);
});

test("a browser that lets nothing go gets no plugin's page", () => {
  const realm = Object.freeze({ RTCPeerConnection: 1 });
  expect(() => removeNetworkApis(realm)).toThrow("This browser does not allow removing RTCPeerConnection");
});
